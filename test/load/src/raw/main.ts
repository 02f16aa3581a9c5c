/**
 * A process of its own: runs the raw pipeline at each number of connections and sends the results over IPC.
 *
 *   node dist/raw/main.js '{"log":"kafka","brokers":["127.0.0.1:9092"],"databaseUrl":"postgres://…", …}'
 */
import { randomBytes } from 'node:crypto';
import { measured } from '../measure/measured.ts';
import { RawKafka } from './kafka.ts';
import type { BenchMessage, RawOrder } from './order.ts';
import { type RawLog, RawPipeline } from './pipeline.ts';
import { openRawPostgres } from './postgres.ts';

const order = JSON.parse(process.argv[2] ?? '{}') as RawOrder;
const tell = (message: BenchMessage): void => void process.send?.(message);
const limits = { itemsMax: 1_000, rowsMax: 256, inFlightMax: 1 };

const open = (): Promise<RawLog> =>
  order.log === 'kafka'
    ? RawKafka.open(order.brokers, order.partitions, `bench-${randomBytes(6).toString('hex')}`)
    : openRawPostgres(order.databaseUrl, order.partitions);

const run = async (): Promise<void> => {
  const pipeline = new RawPipeline(await open(), order.databaseUrl, limits);
  await pipeline.start();
  const text = randomBytes(order.contentBytes / 2).toString('hex');
  const watched = [{ label: 'raw pipeline', pid: process.pid }, ...order.watched];
  let sent = 0;
  for (const connections of order.connections) {
    const result = await measured({ ...order, connections }, watched, async () => {
      sent += 1;
      await pipeline.send({ id: `${process.pid}-${sent}`, partition: sent % order.partitions, text });
      return 'ok';
    });
    tell({ measured: result });
  }
  await pipeline.stop(sent);
};

run().then(
  () => process.exit(0),
  (error: unknown) => {
    tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    process.exit(1);
  },
);
