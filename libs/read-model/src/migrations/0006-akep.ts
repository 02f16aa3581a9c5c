import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Inboxes of AKEP in the schema `read`: what was subscribed to, what has come, and what it resumes. Empty where AKEP is off. */
export class Akep1767225600006 implements MigrationInterface {
  readonly name = 'Akep1767225600006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table read.akep_subscription (
        agent text not null, id text not null, revision int not null, event_types text[] not null, delivery text not null,
        ack_required boolean not null, retention_seconds int not null, resume_policies text[] not null, payload_bytes_max int not null,
        content text not null,             -- its document
        created_at timestamptz(3) not null, changed_at timestamptz(3) not null,
        position int not null,             -- events up to it have gone out
        endpoint text not null, disabled_how text, failures int not null, ended_at timestamptz(3),
        primary key (agent, id)
      );
      create index akep_subscription_outgoing on read.akep_subscription (delivery, agent, id) where ended_at is null and endpoint = 'enabled';

      create table read.akep_secret (
        agent text not null, producer text not null, key text not null,
        content text not null,             -- the ciphertext
        status text not null, issued_at timestamptz(3) not null, until timestamptz(3),
        primary key (agent, producer, key)
      );
      create index akep_secret_key on read.akep_secret (key) where status <> 'retired';
      create index akep_secret_producer on read.akep_secret (producer) where status <> 'retired';

      create table read.akep_event (
        agent text not null, sequence int not null, received_at timestamptz(3) not null, event text not null, event_type text not null,
        knowledge text not null, priority text, hash text not null, advised text not null, policy text not null, task text,
        subjects text[] not null, interrupt text, causation text,
        matched text[] not null,           -- the subscriptions
        producer text, key text, content text, bytes int,   -- of a producer: its raw body
        notice jsonb,                      -- of Kungfu: what it is about
        kept_seconds int not null, order_subject text, order_number bigint, order_mark text,
        status text not null, acknowledged_at timestamptz(3), expired boolean not null,
        primary key (agent, sequence)
      );
      create unique index akep_event_id on read.akep_event (agent, event);
      create index akep_event_task on read.akep_event (agent, task, sequence) where task is not null;
      create index akep_event_kept on read.akep_event (agent, sequence) where not expired;

      create table read.akep_wait (
        agent text not null, task text not null, event_types text[] not null, subjects text[] not null, interrupts text[] not null,
        after int not null, at timestamptz(3) not null, ended_at timestamptz(3),
        primary key (agent, task)
      );

      create table read.akep_resume (
        agent text not null, resume int not null, event text not null, sequence int not null, task text not null, how text not null,
        status text not null, at timestamptz(3) not null, lease int, until timestamptz(3), ended_at timestamptz(3),
        primary key (agent, resume)
      );
      create index akep_resume_open on read.akep_resume (agent, sequence) where ended_at is null;
      create index akep_resume_task on read.akep_resume (agent, task, resume);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table read.akep_resume, read.akep_wait, read.akep_event, read.akep_secret, read.akep_subscription',
    );
  }
}
