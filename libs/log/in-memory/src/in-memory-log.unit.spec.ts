import { logContract } from '@kungfu/log-contract';
import { createInMemoryLog } from './in-memory-log.ts';

const clock = { now: () => Date.now() };
const timers = {
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

logContract('in memory', async () => ({
  recordBytesMax: 1_000_000,
  open: async (topics) => {
    const log = createInMemoryLog({ topics, clock, timers, recordBytesMax: 1_000_000 });
    return { log, admin: log };
  },
  close: async () => {},
}));
