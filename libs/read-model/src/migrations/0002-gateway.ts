import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Schema `gateway`: the gateways' own tables (engine.md §4); a rebuild leaves them alone. Logged, committed synchronously. */
export class Gateway1767225600002 implements MigrationInterface {
  readonly name = 'Gateway1767225600002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists gateway;

      create table gateway.reservation (
        binding text primary key, fingerprint text not null, object text not null,
        action_id text not null, attempt int not null, not_after timestamptz(3) not null, generation int not null,
        refusal_code text, retry_after int          -- written by the projector: the newest attempt was refused
      );

      -- One row: the generation of all actions; fenced while a raise has not been passed by the projector (engine.md §4, 7).
      create table gateway.generation (one boolean primary key default true check (one), generation int not null, fenced boolean not null);
      insert into gateway.generation values (true, 0, false);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema gateway cascade');
  }
}
