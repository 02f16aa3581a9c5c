import { Column, Entity, Index } from 'typeorm';
import { flag, int, nullable, primary, text, time } from './columns.ts';

type PinColumn = { id: string; version: number }[];
const pins = (name: string) => ({ type: 'jsonb', name }) as const;

@Entity({ schema: 'read', name: 'task' })
@Index('task_author', ['author', 'id'])
@Index('task_open', ['id'], { where: "audience = 'open'" })
@Index('task_open_paused', ['paused', 'id'], { where: "audience = 'open'" })
export class TaskEntity {
  @Column(text('id', primary)) id!: string;
  @Column(text('author')) author!: string;
  @Column(text('audience')) audience!: string;
  @Column(flag('paused')) paused!: boolean;
  @Column(int('version')) version!: number;
  @Column(int('adoptions')) adoptions!: number;
  @Column(time('created_at')) createdAt!: Date;
  @Column(int('revision')) revision!: number;
  @Column(time('last_at')) lastAt!: Date;
}

/** An agent that a restricted Task names (K-6). */
@Entity({ schema: 'read', name: 'task_audience' })
@Index('task_audience_agent', ['agent', 'task'])
export class TaskAudienceEntity {
  @Column(text('task', primary)) task!: string;
  @Column(text('agent', primary)) agent!: string;
}

/** A version of a Task's contract (K-5). */
@Entity({ schema: 'read', name: 'contract' })
@Index('contract_judge', ['judge', 'task', 'version'])
export class ContractEntity {
  @Column(text('task', primary)) task!: string;
  @Column(int('version', primary)) version!: number;
  @Column(text('content')) content!: string;
  @Column(flag('structured')) structured!: boolean;
  @Column(pins('required_inputs')) requiredInputs!: PinColumn;
  @Column(pins('informative')) informative!: PinColumn;
  @Column(int('delivery_seconds')) deliverySeconds!: number;
  @Column(int('judgment_seconds')) judgmentSeconds!: number;
  @Column(text('without_judgment')) withoutJudgment!: string;
  @Column(text('judge')) judge!: string;
  @Column(text('eligibility', { array: true })) eligibility!: string[];
  @Column(int('max_adoptions', nullable)) maxAdoptions!: number | null;
  @Column(text('adopted_readers')) adoptedReaders!: string;
  @Column(time('at')) at!: Date;
}

/** `engagement_inputs` and `engagement_memories` need an operator class, which an entity cannot state. */
@Entity({ schema: 'read', name: 'engagement' })
@Index('engagement_id', ['id'], { unique: true })
@Index('engagement_open', ['task', 'agent'], { unique: true, where: 'ended_at is null' })
@Index('engagement_running', ['task', 'number'], { where: 'ended_at is null' })
@Index('engagement_judging', ['judge', 'task'], { where: 'ended_at is null' })
@Index('engagement_agent', ['agent', 'task', 'number'])
@Index('engagement_judge', ['judge', 'task', 'version'])
@Index('engagement_inputs', { synchronize: false })
@Index('engagement_memories', { synchronize: false })
export class EngagementEntity {
  @Column(text('task', primary)) task!: string;
  @Column(int('number', primary)) number!: number;
  @Column(text('id')) id!: string;
  @Column(text('agent')) agent!: string;
  @Column(text('author')) author!: string;
  @Column(text('judge')) judge!: string;
  @Column(int('version')) version!: number;
  @Column(pins('inputs')) inputs!: PinColumn;
  @Column(text('redoes', nullable)) redoes!: string | null;
  @Column(text('status')) status!: string;
  @Column(time('taken_at')) takenAt!: Date;
  @Column(time('deliver_by')) deliverBy!: Date;
  @Column(time('delivered_at', nullable)) deliveredAt!: Date | null;
  @Column(text('payload', nullable)) payload!: string | null;
  @Column(int('payload_bytes', nullable)) payloadBytes!: number | null;
  @Column(pins('memories')) memories!: PinColumn;
  @Column(time('judge_by', nullable)) judgeBy!: Date | null;
  @Column(text('reason', nullable)) reason!: string | null;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
  @Column(text('ended_how', nullable)) endedHow!: string | null;
}
