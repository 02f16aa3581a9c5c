import { Column, Entity, Index } from 'typeorm';
import { flag, int, nullable, primary, text, time } from './columns.ts';

const list = { array: true } as const;

/** What an agent has subscribed to, and how far what goes out by itself is (AKEP S-1, D-4). */
@Entity({ schema: 'read', name: 'akep_subscription' })
@Index('akep_subscription_outgoing', ['delivery', 'agent', 'id'], {
  where: "ended_at is null and endpoint = 'enabled'",
})
export class AkepSubscriptionEntity {
  @Column(text('agent', primary)) agent!: string;
  @Column(text('id', primary)) id!: string;
  @Column(int('revision')) revision!: number;
  @Column(text('event_types', list)) eventTypes!: string[];
  @Column(text('delivery')) delivery!: string;
  @Column(flag('ack_required')) ackRequired!: boolean;
  @Column(int('retention_seconds')) retentionSeconds!: number;
  @Column(text('resume_policies', list)) resumePolicies!: string[];
  @Column(int('payload_bytes_max')) payloadBytesMax!: number;
  @Column(text('content')) content!: string;
  @Column(time('created_at')) createdAt!: Date;
  @Column(time('changed_at')) changedAt!: Date;
  @Column(int('position')) position!: number;
  @Column(text('endpoint')) endpoint!: string;
  @Column(text('disabled_how', nullable)) disabledHow!: string | null;
  @Column(int('failures')) failures!: number;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
}

/** A producer's secret: who may put events into whose inbox (AKEP S-3). Its ciphertext is content. */
@Entity({ schema: 'read', name: 'akep_secret' })
@Index('akep_secret_key', ['key'], { where: "status <> 'retired'" })
@Index('akep_secret_producer', ['producer'], { where: "status <> 'retired'" })
export class AkepSecretEntity {
  @Column(text('agent', primary)) agent!: string;
  @Column(text('producer', primary)) producer!: string;
  @Column(text('key', primary)) key!: string;
  @Column(text('content')) content!: string;
  @Column(text('status')) status!: string;
  @Column(time('issued_at')) issuedAt!: Date;
  @Column(time('until', nullable)) until!: Date | null;
}

/** An event in the order of its inbox (AKEP R-1). The raw body of a producer is content; Kungfu's own are a notice (B-1). */
@Entity({ schema: 'read', name: 'akep_event' })
@Index('akep_event_id', ['agent', 'event'], { unique: true })
@Index('akep_event_task', ['agent', 'task', 'sequence'], { where: 'task is not null' })
@Index('akep_event_kept', ['agent', 'sequence'], { where: 'not expired' })
export class AkepEventEntity {
  @Column(text('agent', primary)) agent!: string;
  @Column(int('sequence', primary)) sequence!: number;
  @Column(time('received_at')) receivedAt!: Date;
  @Column(text('event')) event!: string;
  @Column(text('event_type')) eventType!: string;
  @Column(text('knowledge')) knowledge!: string;
  @Column(text('priority', nullable)) priority!: string | null;
  @Column(text('hash')) hash!: string;
  @Column(text('advised')) advised!: string;
  @Column(text('policy')) policy!: string;
  @Column(text('task', nullable)) task!: string | null;
  @Column(text('subjects', list)) subjects!: string[];
  @Column(text('interrupt', nullable)) interrupt!: string | null;
  @Column(text('causation', nullable)) causation!: string | null;
  @Column(text('matched', list)) matched!: string[];
  @Column(text('producer', nullable)) producer!: string | null;
  @Column(text('key', nullable)) key!: string | null;
  @Column(text('content', nullable)) content!: string | null;
  @Column(int('bytes', nullable)) bytes!: number | null;
  @Column({ type: 'jsonb', name: 'notice', nullable: true }) notice!: object | null;
  @Column(int('kept_seconds')) keptSeconds!: number;
  @Column(text('order_subject', nullable)) orderSubject!: string | null;
  @Column({ type: 'bigint', name: 'order_number', nullable: true }) orderNumber!: string | null;
  @Column(text('order_mark', nullable)) orderMark!: string | null;
  @Column(text('status')) status!: string;
  @Column(time('acknowledged_at', nullable)) acknowledgedAt!: Date | null;
  @Column(flag('expired')) expired!: boolean;
}

/** What a task waits for (AKEP P-1). */
@Entity({ schema: 'read', name: 'akep_wait' })
export class AkepWaitEntity {
  @Column(text('agent', primary)) agent!: string;
  @Column(text('task', primary)) task!: string;
  @Column(text('event_types', list)) eventTypes!: string[];
  @Column(text('subjects', list)) subjects!: string[];
  @Column(text('interrupts', list)) interrupts!: string[];
  @Column(int('after')) after!: number;
  @Column(time('at')) at!: Date;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
}

/** A task that is to go on, because of an event (AKEP P-2). */
@Entity({ schema: 'read', name: 'akep_resume' })
@Index('akep_resume_open', ['agent', 'sequence'], { where: 'ended_at is null' })
@Index('akep_resume_task', ['agent', 'task', 'resume'])
export class AkepResumeEntity {
  @Column(text('agent', primary)) agent!: string;
  @Column(int('resume', primary)) resume!: number;
  @Column(text('event')) event!: string;
  @Column(int('sequence')) sequence!: number;
  @Column(text('task')) task!: string;
  @Column(text('how')) how!: string;
  @Column(text('status')) status!: string;
  @Column(time('at')) at!: Date;
  @Column(int('lease', nullable)) lease!: number | null;
  @Column(time('until', nullable)) until!: Date | null;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
}
