import { Check, Column, Entity } from 'typeorm';
import { flag, int, nullable, primary, text, time } from './columns.ts';

/** A request that waits for its outcome, or was refused last (engine.md §4). */
@Entity({ schema: 'gateway', name: 'reservation' })
export class ReservationEntity {
  @Column(text('binding', primary)) binding!: string;
  @Column(text('fingerprint')) fingerprint!: string;
  @Column(text('object')) object!: string;
  @Column(text('action_id')) actionId!: string;
  @Column(int('attempt')) attempt!: number;
  @Column(time('not_after')) notAfter!: Date;
  @Column(int('generation')) generation!: number;
  @Column(text('refusal_code', nullable)) refusalCode!: string | null;
  @Column(int('retry_after', nullable)) retryAfter!: number | null;
}

@Entity({ schema: 'gateway', name: 'generation' })
@Check('generation_one_check', 'one')
export class GenerationEntity {
  @Column({ type: 'boolean', name: 'one', primary: true, default: true }) one!: boolean;
  @Column(int('generation')) generation!: number;
  @Column(flag('fenced')) fenced!: boolean;
}

/** What only gateways know, and all of them (cursors). */
@Entity({ schema: 'gateway', name: 'secret' })
export class SecretEntity {
  @Column(text('name', primary)) name!: string;
  @Column(text('value')) value!: string;
}
