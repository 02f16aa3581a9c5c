import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets that all gateways of an installation share, each made by the first that needs it. */
export class GatewaySecret1767225600004 implements MigrationInterface {
  readonly name = 'GatewaySecret1767225600004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table gateway.secret (name text primary key, value text not null)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table gateway.secret');
  }
}
