import type { Clock, Timers } from '@kungfu/log-port';
import { actionCatalogue, defaultLimits, type Limits, readCatalogue } from '@kungfu/protocol';
import { rows } from '@kungfu/read-model/testing';
import { hashOf } from '../auth/bearer.ts';
import { Keys } from '../auth/keys.ts';
import { AgentSignIn } from '../auth/principal.ts';
import { type Door, openDoor } from '../http/door.ts';
import { Cursors } from '../reads/cursor.ts';
import { ReadService } from '../reads/read-service.ts';
import type { ReadContext } from '../reads/reads.ts';
import { PostgresWakes } from '../reads/wakes.ts';
import type { Asked } from './test-door.ts';

export const { ada, at, bob, eve } = rows;

const timers: Timers = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      signal?.addEventListener('abort', done);
    }),
};

/** The agents' door with its real reads, over rows put in by hand. `now` is what the gateway takes for the time. */
export class ReadDoor {
  readonly logged: unknown[] = [];
  readonly stopping = new AbortController();
  readonly clock: Clock & { ms: number; real: boolean } = {
    ms: rows.now,
    real: false,
    now: () => (this.clock.real ? Date.now() : this.clock.ms),
  };
  over: number | undefined;
  keys!: Keys;
  wakes!: PostgresWakes;
  /** What its reads stand on. */
  context!: ReadContext;
  door!: Door;

  private constructor(readonly world: rows.Rows) {}

  static async open(limits: Limits = defaultLimits): Promise<ReadDoor> {
    const it = new ReadDoor(await rows.Rows.create());
    const { pool } = it.world;
    const log = (entry: unknown): void => {
      it.logged.push(entry);
    };
    const logger = { error: log, warn: log, info: log };
    it.wakes = new PostgresWakes(pool, timers, logger);
    it.wakes.start();
    it.keys = new Keys(pool, it.clock);
    it.context = {
      pool,
      timers,
      limits,
      clock: it.clock,
      wakes: it.wakes,
      cursors: new Cursors('secret'),
      version: '9.9.9',
      stopping: it.stopping.signal,
      limiter: { read: async () => it.over, use: async () => ({ reads: { limit: 1_200, used: 7 } }) },
      binding: (agent, action, key) => [agent, action, key].join('|'),
    };
    it.door = await openDoor({
      host: '127.0.0.1',
      port: 0,
      authentication: new AgentSignIn(it.keys),
      pipeline: { execute: () => Promise.reject(new Error('no actions here')) },
      reads: new ReadService(it.context),
      logger,
      routes: {
        actions: Object.values(actionCatalogue()).filter(({ door }) => door === 'agents'),
        reads: Object.values(readCatalogue()).filter(({ door }) => door !== 'administration'),
      },
      requestBytesMax: limits.requestBytesMax,
    });
    return it;
  }

  /** Empties the world, and puts in the three agents with a key each. */
  async reset(): Promise<void> {
    await this.world.clear();
    this.keys.forget();
    this.logged.length = 0;
    this.over = undefined;
    for (const agent of [ada, bob, eve]) {
      await this.world.agent(agent);
      await this.world.insert('agent_key', {
        id: `key_${agent}`,
        agent,
        hash: hashOf(`secret-of-${agent}`),
        issued_at: at(0),
      });
    }
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.door.close();
    await this.wakes.stop();
    await this.world.close();
  }

  async get(agent: string, path: string, headers: Record<string, string> = {}): Promise<Asked> {
    const response = await fetch(`${this.door.url}${path}`, {
      headers: { authorization: `Bearer secret-of-${agent}`, ...headers },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  }
}
