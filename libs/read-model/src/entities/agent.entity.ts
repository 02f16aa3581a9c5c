import { Column, Entity, Index } from 'typeorm';
import { int, nullable, primary, text, time } from './columns.ts';

@Entity({ schema: 'read', name: 'agent' })
@Index('agent_walking', ['id'], { where: `status in ('deactivating', 'activating')` })
export class AgentEntity {
  @Column(text('id', primary)) id!: string;
  @Column(text('status')) status!: string;
  @Column(int('walk')) walk!: number;
  @Column(text('labels', { array: true })) labels!: string[];
  @Column(time('created_at')) createdAt!: Date;
  @Column(int('revision')) revision!: number;
}

@Entity({ schema: 'read', name: 'agent_key' })
@Index('agent_key_hash', ['hash'], { unique: true })
@Index('agent_key_agent', ['agent', 'revokedAt', 'issuedAt', 'id'])
export class AgentKeyEntity {
  @Column(text('id', primary)) id!: string;
  @Column(text('agent')) agent!: string;
  @Column(text('hash')) hash!: string;
  @Column(time('issued_at')) issuedAt!: Date;
  @Column(time('revoked_at', nullable)) revokedAt!: Date | null;
}

/** A partition that an account walk has to pass (engine.md §6). */
@Entity({ schema: 'read', name: 'walk' })
export class WalkEntity {
  @Column(text('agent', primary)) agent!: string;
  @Column(int('walk', primary)) walk!: number;
  @Column(text('change')) change!: string;
  @Column(text('kind', primary)) kind!: string;
  @Column(int('partition', primary)) partition!: number;
}

/** A partition that has passed it. */
@Entity({ schema: 'read', name: 'walk_applied' })
export class WalkAppliedEntity {
  @Column(text('agent', primary)) agent!: string;
  @Column(int('walk', primary)) walk!: number;
  @Column(text('kind', primary)) kind!: string;
  @Column(int('partition', primary)) partition!: number;
}
