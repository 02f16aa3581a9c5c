import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Schema `read`: what the projector folds the facts into. Nobody else writes it; `kungfu rebuild` drops and replays it.
 * `at`, `kind`, `partition`, `off`, `eff` place a row in the order of the log: log time, kind of the fact topic, partition,
 * offset, index of the effect in the fact.
 */
export class ReadModel1767225600001 implements MigrationInterface {
  readonly name = 'ReadModel1767225600001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists read;

      create table read.position (
        topic text not null, partition int not null,
        next bigint not null,              -- next offset to project
        epoch text not null, n bigint not null,
        log_at timestamptz(3) not null,    -- log time of the partition
        decided_up_to bigint not null, generation int not null,
        primary key (topic, partition)
      );

      create table read.content (
        id text primary key,
        value bytea                        -- the JSON record {salt, content}; null: erased
      );

      create table read.agent (
        id text primary key, status text not null, walk int not null, labels text[] not null,
        created_at timestamptz(3) not null, revision int not null
      );
      create index agent_walking on read.agent (id) where status in ('deactivating', 'activating');
      create table read.agent_key (
        id text primary key, agent text not null, hash text not null,
        issued_at timestamptz(3) not null, revoked_at timestamptz(3)
      );
      create unique index agent_key_hash on read.agent_key (hash);
      create index agent_key_agent on read.agent_key (agent);
      create table read.walk (
        agent text not null, walk int not null, change text not null, kind text not null, partition int not null,
        primary key (agent, walk, kind, partition)
      );
      create table read.walk_applied (
        agent text not null, walk int not null, kind text not null, partition int not null,
        primary key (agent, walk, kind, partition)
      );

      create table read.memory (
        id text primary key, author text not null,
        -- For one born in an entry by the thread's fact, null until that has been projected (engine.md §8).
        created_at timestamptz(3), born_thread text, born_entry int,
        status text, visibility text, current_version int,     -- by the memory's facts; null: valid, private, 1
        revision int not null
      );
      create index memory_author on read.memory (author, id);
      create index memory_public on read.memory (id) where visibility = 'public';
      create table read.memory_version (
        memory text not null, version int not null, content text not null, bytes int not null, sha256 text not null,
        at timestamptz(3) not null,
        primary key (memory, version)
      );

      create table read.thread (
        id text primary key, status text not null, creator text not null, content text,
        created_at timestamptz(3) not null, closed_at timestamptz(3), revision int not null,
        entries int not null, assignments int not null, last_at timestamptz(3) not null
      );
      create table read.thread_grant (
        thread text not null, number int not null, role text not null, hash text not null, live boolean not null,
        issued_by text not null, issued_at timestamptz(3) not null, voided_at timestamptz(3), voided_how text,
        primary key (thread, number)
      );
      create unique index thread_grant_live on read.thread_grant (hash) where live;
      create table read.membership (
        thread text not null, membership int not null, agent text not null, role text not null, grant_number int,
        joined_at timestamptz(3) not null, ended_at timestamptz(3), ended_how text,
        primary key (thread, membership)
      );
      create unique index membership_current on read.membership (thread, agent) where ended_at is null;
      create index membership_agent on read.membership (agent, thread) where ended_at is null;
      create table read.entry (
        thread text not null, entry int not null, author text not null, membership int not null, reply_to int,
        memory text not null, version int not null, task text, at timestamptz(3) not null,
        primary key (thread, entry)
      );
      -- Who may read a pinned version: the threads that pin it (V-4, V-5).
      create index entry_memory on read.entry (memory, version);
      create table read.response (
        thread text not null, entry int not null, agent text not null, owed_at timestamptz(3) not null,
        ended_at timestamptz(3), how text, note text,
        primary key (thread, entry, agent)
      );
      create table read.assignment (
        thread text not null, assignment int not null, entry int not null, creator text not null, assignee text not null,
        content text not null, structured boolean not null, delivery_seconds int not null, judgment_seconds int not null,
        redoes int, status text not null, created_at timestamptz(3) not null, taken_at timestamptz(3),
        deliver_by timestamptz(3), delivered_at timestamptz(3), payload text, payload_bytes int,
        memories jsonb not null, judge_by timestamptz(3), judge text, reason text,
        ended_at timestamptz(3), ended_how text,
        primary key (thread, assignment)
      );

      create index assignment_memories on read.assignment using gin (memories jsonb_path_ops);

      -- One row an obligation, open or ended (O-1). part: entry or assignment number.
      create table read.obligation (
        holder text not null, obligation text not null, object text not null, part int not null,
        ref text not null, from_agent text not null,
        deadline timestamptz(3), at timestamptz(3) not null, kind text not null, partition int not null, off bigint not null, eff int not null,
        ended_at timestamptz(3),
        primary key (holder, object, obligation, part)
      );
      create index obligation_turn on read.obligation (holder, at, kind, partition, off, eff) where ended_at is null;
      create index obligation_waiting on read.obligation (from_agent, at, kind, partition, off, eff) where ended_at is null;
      create index obligation_object on read.obligation (object, part) where ended_at is null;

      -- Untaken assignments for an agent (O-5); restricted Tasks come with their kind.
      create table read.opportunity (
        agent text not null, object text not null, part int not null, ref text not null, from_agent text not null,
        at timestamptz(3) not null, kind text not null, partition int not null, off bigint not null, eff int not null,
        ended_at timestamptz(3),
        primary key (agent, object, part)
      );
      create index opportunity_open on read.opportunity (agent, at, kind, partition, off, eff) where ended_at is null;

      -- Deadlines as effects of facts; the scheduler polls those that are open and due (engine.md §7).
      create table read.deadline (
        kind text not null, object text not null, part int not null, what text not null, due_at timestamptz(3) not null,
        ended_at timestamptz(3),
        primary key (kind, object, part, what)
      );
      create index deadline_due on read.deadline (due_at, kind, object) where ended_at is null;

      create table read.receipt (
        binding text primary key, agent text not null, action text not null, fingerprint text not null,
        receipt bytea not null, at timestamptz(3) not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema read cascade');
  }
}
