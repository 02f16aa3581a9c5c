import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indices with which a read costs what it hands out, however much there is besides. */
export class ReadScale1767225600005 implements MigrationInterface {
  readonly name = 'ReadScale1767225600005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What is open for an agent in one thread or Task (O-6).
      create index obligation_within on read.obligation (holder, object, at, kind, partition, off, eff) where ended_at is null;
      create index opportunity_within on read.opportunity (agent, object, at, kind, partition, off, eff) where ended_at is null;

      create index assignment_entry on read.assignment (thread, entry);
      create index assignment_status on read.assignment (thread, status, assignment);
      create index assignment_created on read.assignment (thread, creator, assignment) where status in ('open', 'taken', 'delivered');
      create index assignment_assigned on read.assignment (thread, assignee, assignment) where status in ('open', 'taken', 'delivered');

      -- Current members, whoever left before.
      create index membership_member on read.membership (thread, membership) where ended_at is null;
      create index thread_grant_of on read.thread_grant (thread) where live;

      -- An author's Memories by what its list filters.
      drop index read.memory_author;
      create index memory_own on read.memory (author, coalesce(status, 'valid'), coalesce(visibility, 'private'), id);
      drop index read.memory_public;
      create index memory_public on read.memory (id) where visibility = 'public' and status = 'valid';

      drop index read.agent_key_agent;
      create index agent_key_agent on read.agent_key (agent, revoked_at nulls first, issued_at desc, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index read.agent_key_agent;
      create index agent_key_agent on read.agent_key (agent);
      drop index read.memory_public;
      create index memory_public on read.memory (id) where visibility = 'public';
      drop index read.memory_own;
      create index memory_author on read.memory (author, id);
      drop index read.thread_grant_of, read.membership_member, read.assignment_assigned, read.assignment_created, read.assignment_status,
        read.assignment_entry, read.opportunity_within, read.obligation_within;
    `);
  }
}
