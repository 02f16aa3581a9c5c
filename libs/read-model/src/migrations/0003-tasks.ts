import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tasks in the schema `read` (§7): their contract versions, audience and engagements. */
export class Tasks1767225600003 implements MigrationInterface {
  readonly name = 'Tasks1767225600003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table read.task (
        id text primary key, author text not null, audience text not null, paused boolean not null,
        version int not null,              -- of the contract that binds the next engagement
        adoptions int not null, created_at timestamptz(3) not null, revision int not null, last_at timestamptz(3) not null
      );
      create index task_author on read.task (author, id);
      create index task_open on read.task (id) where audience = 'open';
      create index task_open_paused on read.task (paused, id) where audience = 'open';

      -- Restricted Tasks are opportunities of those that they name (O-5): the labels that the contract of now asks for, in order,
      -- and whether the agent is its judge, or its limit of adoptions reached.
      alter table read.opportunity add requires text[] not null default '{}', add barred boolean not null default false;
      alter table read.opportunity alter requires drop default, alter barred drop default;
      drop index read.opportunity_open;
      create index opportunity_open on read.opportunity (agent, requires, at, kind, partition, off, eff) where ended_at is null and not barred;

      -- The agents that a restricted Task names (K-6).
      create table read.task_audience (task text not null, agent text not null, primary key (task, agent));
      create index task_audience_agent on read.task_audience (agent, task);

      create table read.contract (
        task text not null, version int not null, content text not null, structured boolean not null,
        required_inputs jsonb not null, informative jsonb not null, delivery_seconds int not null, judgment_seconds int not null,
        without_judgment text not null, judge text not null, eligibility text[] not null, max_adoptions int,
        adopted_readers text not null, at timestamptz(3) not null,
        primary key (task, version)
      );
      create index contract_judge on read.contract (judge, task, version);

      create table read.engagement (
        task text not null, number int not null, id text not null, agent text not null, author text not null, judge text not null,
        version int not null, inputs jsonb not null, redoes text, status text not null, taken_at timestamptz(3) not null,
        deliver_by timestamptz(3) not null, delivered_at timestamptz(3), payload text, payload_bytes int,
        memories jsonb not null, judge_by timestamptz(3), reason text, ended_at timestamptz(3), ended_how text,
        primary key (task, number)
      );
      create unique index engagement_id on read.engagement (id);
      create unique index engagement_open on read.engagement (task, agent) where ended_at is null;
      create index engagement_running on read.engagement (task, number) where ended_at is null;
      create index engagement_judging on read.engagement (judge, task) where ended_at is null;
      create index engagement_agent on read.engagement (agent, task, number);
      create index engagement_judge on read.engagement (judge, task, version);
      -- Who may read a version that an engagement binds or a delivery pins (V-9, V-16).
      create index engagement_inputs on read.engagement using gin (inputs jsonb_path_ops);
      create index engagement_memories on read.engagement using gin (memories jsonb_path_ops);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index read.opportunity_open;
      alter table read.opportunity drop requires, drop barred;
      create index opportunity_open on read.opportunity (agent, at, kind, partition, off, eff) where ended_at is null;
      drop table read.engagement, read.contract, read.task_audience, read.task;
    `);
  }
}
