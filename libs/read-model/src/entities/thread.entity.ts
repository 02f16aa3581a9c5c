import { Column, Entity, Index } from 'typeorm';
import { flag, int, nullable, primary, text, time } from './columns.ts';

@Entity({ schema: 'read', name: 'thread' })
export class ThreadEntity {
  @Column(text('id', primary)) id!: string;
  @Column(text('status')) status!: string;
  @Column(text('creator')) creator!: string;
  @Column(text('content', nullable)) content!: string | null;
  @Column(time('created_at')) createdAt!: Date;
  @Column(time('closed_at', nullable)) closedAt!: Date | null;
  @Column(int('revision')) revision!: number;
  @Column(int('entries')) entries!: number;
  @Column(int('assignments')) assignments!: number;
  @Column(time('last_at')) lastAt!: Date;
}

@Entity({ schema: 'read', name: 'thread_grant' })
@Index('thread_grant_live', ['hash'], { unique: true, where: 'live' })
@Index('thread_grant_of', ['thread'], { where: 'live' })
export class ThreadGrantEntity {
  @Column(text('thread', primary)) thread!: string;
  @Column(int('number', primary)) number!: number;
  @Column(text('role')) role!: string;
  @Column(text('hash')) hash!: string;
  @Column(flag('live')) live!: boolean;
  @Column(text('issued_by')) issuedBy!: string;
  @Column(time('issued_at')) issuedAt!: Date;
  @Column(time('voided_at', nullable)) voidedAt!: Date | null;
  @Column(text('voided_how', nullable)) voidedHow!: string | null;
}

@Entity({ schema: 'read', name: 'membership' })
@Index('membership_current', ['thread', 'agent'], { unique: true, where: 'ended_at is null' })
@Index('membership_agent', ['agent', 'thread'], { where: 'ended_at is null' })
@Index('membership_member', ['thread', 'membership'], { where: 'ended_at is null' })
export class MembershipEntity {
  @Column(text('thread', primary)) thread!: string;
  @Column(int('membership', primary)) membership!: number;
  @Column(text('agent')) agent!: string;
  @Column(text('role')) role!: string;
  @Column(int('grant_number', nullable)) grantNumber!: number | null;
  @Column(time('joined_at')) joinedAt!: Date;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
  @Column(text('ended_how', nullable)) endedHow!: string | null;
}

@Entity({ schema: 'read', name: 'entry' })
@Index('entry_memory', ['memory', 'version'])
export class EntryEntity {
  @Column(text('thread', primary)) thread!: string;
  @Column(int('entry', primary)) entry!: number;
  @Column(text('author')) author!: string;
  @Column(int('membership')) membership!: number;
  @Column(int('reply_to', nullable)) replyTo!: number | null;
  @Column(text('memory')) memory!: string;
  @Column(int('version')) version!: number;
  @Column(text('task', nullable)) task!: string | null;
  @Column(time('at')) at!: Date;
}

@Entity({ schema: 'read', name: 'response' })
export class ResponseEntity {
  @Column(text('thread', primary)) thread!: string;
  @Column(int('entry', primary)) entry!: number;
  @Column(text('agent', primary)) agent!: string;
  @Column(time('owed_at')) owedAt!: Date;
  @Column(time('ended_at', nullable)) endedAt!: Date | null;
  @Column(text('how', nullable)) how!: string | null;
  @Column(text('note', nullable)) note!: string | null;
}
