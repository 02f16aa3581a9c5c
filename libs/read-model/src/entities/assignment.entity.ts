import { Column, Entity, Index } from 'typeorm';
import { bigint, flag, int, nullable, primary, text, time } from './columns.ts';

const isLive = { where: "status = ANY (ARRAY['open'::text, 'taken'::text, 'delivered'::text])" };

/** `assignment_memories` needs an operator class, which an entity cannot state. */
@Entity({ schema: 'read', name: 'assignment' })
@Index('assignment_entry', ['thread', 'entry'])
@Index('assignment_status', ['thread', 'status', 'assignment'])
@Index('assignment_created', ['thread', 'creator', 'assignment'], isLive)
@Index('assignment_assigned', ['thread', 'assignee', 'assignment'], isLive)
@Index('assignment_memories', { synchronize: false })
export class AssignmentEntity {
  @Column(text('thread', primary)) thread!: string;
  @Column(int('assignment', primary)) assignment!: number;
  @Column(int('entry')) entry!: number;
  @Column(text('creator')) creator!: string;
  @Column(text('assignee')) assignee!: string;
  @Column(text('content')) content!: string;
  @Column(flag('structured')) structured!: boolean;
  @Column(int('delivery_seconds')) deliverySeconds!: number;
  @Column(int('judgment_seconds')) judgmentSeconds!: number;
  @Column(int('redoes', nullable)) redoes!: number | null;
  @Column(text('status')) status!: string;
  @Column(time('created_at')) createdAt!: Date;
  @Column(time('taken_at', nullable)) takenAt!: Date | null;
  @Column(time('deliver_by', nullable)) deliverBy!: Date | null;
  @Column(time('delivered_at', nullable)) deliveredAt!: Date | null;
  @Column(text('payload', nullable)) payload!: string | null;
  @Column(int('payload_bytes', nullable)) payloadBytes!: number | null;
  @Column({ type: 'jsonb', name: 'memories' }) memories!: { id: string; version: number }[];
  @Column(time('judge_by', nullable)) judgeBy!: Date | null;
  @Column(text('judge', nullable)) judge!: string | null;
  @Column(text('reason', nullable)) reason!: string | null;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
  @Column(text('ended_how', nullable)) endedHow!: string | null;
}

const inOrder = ['at', 'kind', 'partition', 'off', 'eff'] as const;
const open = { where: 'ended_at is null' };

/** A duty, open or ended (O-1). */
@Entity({ schema: 'read', name: 'obligation' })
@Index('obligation_turn', ['holder', ...inOrder], open)
@Index('obligation_waiting', ['fromAgent', ...inOrder], open)
@Index('obligation_object', ['object', 'part'], open)
@Index('obligation_within', ['holder', 'object', ...inOrder], open)
export class ObligationEntity {
  @Column(text('holder', primary)) holder!: string;
  @Column(text('object', primary)) object!: string;
  @Column(text('obligation', primary)) obligation!: string;
  @Column(int('part', primary)) part!: number;
  @Column(text('ref')) ref!: string;
  @Column(text('from_agent')) fromAgent!: string;
  @Column(time('deadline', nullable)) deadline!: Date | null;
  @Column(time('at')) at!: Date;
  @Column(text('kind')) kind!: string;
  @Column(int('partition')) partition!: number;
  @Column(bigint('off')) off!: string;
  @Column(int('eff')) eff!: number;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
}

/** What an agent may take (O-5). */
@Entity({ schema: 'read', name: 'opportunity' })
@Index('opportunity_open', ['agent', 'requires', ...inOrder], { where: 'ended_at is null and not barred' })
@Index('opportunity_within', ['agent', 'object', ...inOrder], open)
export class OpportunityEntity {
  @Column(text('agent', primary)) agent!: string;
  @Column(text('object', primary)) object!: string;
  @Column(int('part', primary)) part!: number;
  @Column(text('ref')) ref!: string;
  @Column(text('from_agent')) fromAgent!: string;
  @Column(text('requires', { array: true })) requires!: string[];
  @Column(flag('barred')) barred!: boolean;
  @Column(time('at')) at!: Date;
  @Column(text('kind')) kind!: string;
  @Column(int('partition')) partition!: number;
  @Column(bigint('off')) off!: string;
  @Column(int('eff')) eff!: number;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
}

/** A deadline that runs, or ran (engine.md §7). */
@Entity({ schema: 'read', name: 'deadline' })
@Index('deadline_due', ['dueAt', 'kind', 'object'], open)
export class DeadlineEntity {
  @Column(text('kind', primary)) kind!: string;
  @Column(text('object', primary)) object!: string;
  @Column(int('part', primary)) part!: number;
  @Column(text('what', primary)) what!: string;
  @Column(time('due_at')) dueAt!: Date;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
}
