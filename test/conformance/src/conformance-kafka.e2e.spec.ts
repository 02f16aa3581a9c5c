import { afterAll, expect, it } from '@jest/globals';
import { startKafkaServices } from '@kungfu/e2e';
import { check, failuresOf, options, runMsMax } from './testing/check.ts';

const started = await startKafkaServices(options);
const itOnKafka = 'skip' in started ? it.skip : it;
afterAll(async () => {
  if (!('skip' in started)) await started.stop();
}, 60_000);

itOnKafka(
  '[C-1] the black-box program finds nothing wrong with the separate services, on Kafka',
  async () => {
    if ('skip' in started) throw new Error(started.skip);
    expect(failuresOf(await check(started))).toEqual([]);
  },
  2 * runMsMax,
);
