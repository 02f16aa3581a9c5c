import { describe, expect, it } from '@jest/globals';
import type { Log } from '@kungfu/log-port';
import pino from 'pino';
import { LogUpkeep } from './log-upkeep.ts';
import { WatchedLog } from './watched-log.ts';

describe('the upkeep of a log', () => {
  it('prunes and compacts every hour, goes on after a failure, and ends when asked', async () => {
    const asked: string[] = [];
    const log = {
      prune: async (nowMs: number) => {
        asked.push(`prune ${nowMs}`);
        if (asked.length === 1) throw new Error('away');
      },
      compact: async () => void asked.push('compact'),
    };
    let hours = 0;
    const clock = { now: () => hours };
    const logger = pino({ level: 'silent' });
    const ended = new Promise<void>((resolve) => {
      const sleep = async (ms: number): Promise<void> => {
        hours += ms / 3_600_000;
        if (hours === 3) void upkeep.stop().then(resolve);
      };
      const upkeep = new LogUpkeep(new WatchedLog(log as unknown as Log, clock), clock, { sleep }, logger);
      void upkeep.start();
    });
    await ended;
    expect(asked).toEqual(['prune 1', 'prune 2', 'compact']);
  });
});

describe('a log under watch', () => {
  it('is overdue by as long as its poll should have answered, and no more once it has', async () => {
    let now = 1_000;
    let answer = (): void => {};
    const inner = {
      reader: async () => ({
        poll: () => new Promise((resolve) => (answer = () => resolve([]))),
        close: async () => {},
      }),
    };
    const log = new WatchedLog(inner as unknown as Log, { now: () => now });
    const reader = await log.reader();
    const polling = reader.poll({ records: 1, bytes: 1, waitMs: 250 });
    expect(log.overdueMs()).toBe(0);
    now = 1_250;
    expect(log.overdueMs()).toBe(0);
    now = 32_000;
    expect(log.overdueMs()).toBe(30_750);
    answer();
    expect(await polling).toEqual([]);
    expect(log.overdueMs()).toBe(0);
  });
});
