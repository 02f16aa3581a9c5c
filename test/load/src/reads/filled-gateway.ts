import { Gateway } from '@kungfu/gateway';
import { InMemoryLog } from '@kungfu/log-in-memory';
import { createDataSource, migrate } from '@kungfu/read-model';
import { type FillSize, filled, fillReadModel, idOf } from '@kungfu/read-model/testing';
import { readConfig, systemClock, systemRandom, systemTimers } from '@kungfu/service';
import pg from 'pg';
import { Pool } from 'undici';

const silent = { error: () => {}, warn: () => {}, info: () => {} };

/** A real gateway over a filled read model in a database of its own; nothing acts there. */
export class FilledGateway {
  private constructor(
    private readonly pool: pg.Pool,
    private readonly gateway: Gateway,
    private readonly client: Pool,
  ) {}

  /** On an empty database. Filling takes from a second to a minute. */
  static async open(url: string, size: FillSize): Promise<FilledGateway> {
    const dataSource = createDataSource({ url });
    await migrate(dataSource);
    await dataSource.destroy();
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    await fillReadModel(pool, size);
    const config = readConfig({ KUNGFU_PORT: '0', KUNGFU_RATE_LIMITS: 'false' });
    const gateway = new Gateway(
      {
        log: new InMemoryLog({ topics: [], clock: systemClock, timers: systemTimers }),
        pool,
        clock: systemClock,
        timers: systemTimers,
        random: systemRandom,
        logger: silent,
      },
      { ...config, limits: config.KUNGFU_LIMITS },
    );
    await gateway.start();
    return new FilledGateway(pool, gateway, new Pool(gateway.url!, { connections: 1, pipelining: 1 }));
  }

  /** What ada reads. Throws if it is refused. */
  async read(path: string): Promise<string> {
    const { statusCode, body } = await this.client.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer secret-of-${idOf('agent', filled.ada)}` },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`);
    return text;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.gateway.stop();
    await ended(this.pool);
  }
}

/** Resolves when every connection has ended, not only when it was told to: the server may stop then. */
const ended = async (pool: pg.Pool): Promise<void> => {
  let left = pool.totalCount;
  const removed = new Promise<void>((resolve) => {
    if (left === 0) resolve();
    pool.on('remove', () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  await pool.end();
  await removed;
};
