import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopTestDatabases, testDatabase } from '@kungfu/embedded';
import type { Leases, Log } from '@kungfu/log-port';
import { PostgresLog } from '@kungfu/log-postgres';
import { topicSettings } from '@kungfu/protocol';
import { Inject, Injectable, Module } from '@nestjs/common';
import { readConfig } from './config.ts';
import { explain } from './exit.ts';
import { createLogger } from './logger.ts';
import type { Loop } from './loop.ts';
import { openPlatform, type Platform } from './platform.ts';
import { startService } from './run-service.ts';
import { LEASES, LOG } from './tokens.ts';

@Injectable()
class Follower implements Loop {
  running = false;
  problem: string | undefined;
  readonly log: Log;
  readonly leases: Leases;
  constructor(@Inject(LOG) log: Log, @Inject(LEASES) leases: Leases) {
    this.log = log;
    this.leases = leases;
  }
  async start(): Promise<void> {
    this.running = true;
  }
  async stop(): Promise<void> {
    this.running = false;
  }
  trouble(): string | undefined {
    return this.problem;
  }
}

@Module({ providers: [Follower], exports: [Follower] })
class FollowerModule {}

const service = { name: 'follower-service', modules: [FollowerModule], loops: [{ name: 'follower', token: Follower }] };
type Health = { status: string; details: Record<string, { status: string; trouble?: unknown }> };
const ask = async (url: string): Promise<{ status: number; body: Health }> => {
  const answer = await fetch(url);
  return { status: answer.status, body: (await answer.json()) as Health };
};

describe('a service', () => {
  let platform: Platform;
  beforeAll(async () => {
    const config = readConfig({
      DATABASE_URL: await testDatabase(),
      KUNGFU_HEALTH_PORT: '0',
      KUNGFU_LOG_LEVEL: 'silent',
    });
    platform = await openPlatform(config, createLogger(config, 'test'));
  }, 60_000);
  afterAll(async () => {
    await platform.close();
    await stopTestDatabases();
  });

  it('runs its loops on the platform, tells its health, and stops them', async () => {
    const running = await startService(service, platform);
    const follower = running.app.get(Follower);
    expect(follower.running).toBe(true);
    expect(follower.log).toBe(platform.log);
    expect(follower.leases).toBe(platform.leases);
    expect(await ask(`${running.healthUrl}/health/live`)).toMatchObject({ status: 200, body: { status: 'ok' } });

    const early = await ask(`${running.healthUrl}/health/ready`);
    expect(early.status).toBe(503);
    expect(Object.entries(early.body.details).map(([name, { status }]) => [name, status])).toEqual([
      ['started', 'up'],
      ['postgres', 'down'],
      ['log', 'down'],
    ]);

    await platform.pool.query('create schema read; create table read.position ()');
    await new PostgresLog({ pool: platform.pool }).ensure(topicSettings({ partitions: 1 }));
    expect(await ask(`${running.healthUrl}/health/ready`)).toMatchObject({ status: 200 });

    follower.problem = 'partition 3 is stopped';
    const troubled = await ask(`${running.healthUrl}/health/live`);
    expect(troubled.status).toBe(200);
    expect(troubled.body.details['loops']).toMatchObject({
      status: 'degraded',
      trouble: { follower: 'partition 3 is stopped' },
    });

    await running.close();
    expect(follower.running).toBe(false);
    expect((await platform.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('says which port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const config = { ...platform.config, KUNGFU_HEALTH_PORT: port };
    const failure = await startService(service, { ...platform, config }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(explain(failure)).toBe(`port ${port} of 127.0.0.1 is in use`);
    await new Promise((resolve) => other.close(resolve));
  });

  it('does not start when a loop cannot, and leaves nothing running', async () => {
    class Broken extends Follower {
      override async start(): Promise<void> {
        throw new Error('no topics');
      }
    }
    const modules = [{ module: FollowerModule, providers: [Broken], exports: [Broken] }];
    const loops = [...service.loops, { name: 'broken', token: Broken }];
    await expect(startService({ ...service, modules, loops }, platform)).rejects.toThrow('no topics');
  });
});
