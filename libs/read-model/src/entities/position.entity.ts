import { Column, Entity } from 'typeorm';
import { bigint, int, nullable, primary, text, time } from './columns.ts';

/** How far a partition has been projected, and the chain of validity there (engine.md §5). */
@Entity({ schema: 'read', name: 'position' })
export class PositionEntity {
  @Column(text('topic', primary)) topic!: string;
  @Column(int('partition', primary)) partition!: number;
  @Column(bigint('next')) next!: string;
  @Column(text('epoch')) epoch!: string;
  @Column(bigint('n')) n!: string;
  @Column(time('log_at')) logAt!: Date;
  @Column(bigint('decided_up_to')) decidedUpTo!: string;
  @Column(int('generation')) generation!: number;
}

/** A participant's text as it stands on the content topic; null once erased. */
@Entity({ schema: 'read', name: 'content' })
export class ContentEntity {
  @Column(text('id', primary)) id!: string;
  @Column({ type: 'bytea', name: 'value', ...nullable }) value!: Buffer | null;
}

/** What an accepted action answered, byte for byte (L3-1). */
@Entity({ schema: 'read', name: 'receipt' })
export class ReceiptEntity {
  @Column(text('binding', primary)) binding!: string;
  @Column(text('agent')) agent!: string;
  @Column(text('action')) action!: string;
  @Column(text('fingerprint')) fingerprint!: string;
  @Column({ type: 'bytea', name: 'receipt' }) receipt!: Buffer;
  @Column(time('at')) at!: Date;
}
