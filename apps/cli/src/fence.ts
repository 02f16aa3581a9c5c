import type { Log, TopicPartition } from '@kungfu/log-port';
import { actionsTopic, encodeInput, factsTopic, type KindName, kinds } from '@kungfu/protocol';
import type { Platform } from '@kungfu/service';

export type Fencing = 'not fenced' | 'lifted' | 'standing';

type Ports = Pick<Platform, 'pool' | 'timers' | 'clock'> & { readonly log: Log; readonly kinds?: readonly KindName[] };
/** Where in the actions a fence stands, and the facts that tell when it has been decided. */
type Fence = { readonly facts: TopicPartition; readonly offset: number };

const lookMs = 250;

/**
 * After anything that may have lost committed rows: fences every actions partition at the generation that has been raised,
 * waits until the projector has passed a `decided` at or beyond each fence, and lets gateways answer again (engine.md §4, 7).
 * What was sent before the fence is then either projected or refused. Safe to repeat at any point.
 */
export const liftFence = async (ports: Ports, waitMs: number): Promise<Fencing> => {
  const { rows } = await ports.pool.query<{ generation: number; fenced: boolean }>(
    'select generation, fenced from gateway.generation',
  );
  const [row] = rows;
  if (row === undefined || !row.fenced) return 'not fenced';
  const fences = await appendFences(ports, row.generation);
  const until = ports.clock.now() + waitMs;
  while (!(await arePassed(ports, fences))) {
    if (ports.clock.now() >= until) return 'standing';
    await ports.timers.sleep(lookMs);
  }
  // Raised again meanwhile: that rebuild has a fence of its own to pass.
  const { rowCount } = await ports.pool.query('update gateway.generation set fenced = false where generation = $1', [
    row.generation,
  ]);
  return rowCount === 1 ? 'lifted' : 'standing';
};

const appendFences = async ({ log, kinds: fenced = kinds }: Ports, generation: number): Promise<readonly Fence[]> => {
  const producer = await log.producer();
  try {
    const fences: Fence[] = [];
    for (const kind of fenced) {
      const topic = actionsTopic(kind);
      const places = Array.from({ length: await log.partitions(topic) }, (_, partition) => ({ topic, partition }));
      const appended = await producer.append(
        places.map((place) => ({ ...place, records: [encodeInput({ kind: 'fence', generation })] })),
      );
      fences.push(
        ...appended.map(({ partition, firstOffset }) => ({
          facts: { topic: factsTopic(kind), partition },
          offset: firstOffset,
        })),
      );
    }
    return fences;
  } finally {
    await producer.close();
  }
};

const arePassed = async ({ pool }: Ports, fences: readonly Fence[]): Promise<boolean> => {
  const { rows } = await pool.query<{ topic: string; partition: number; decided_up_to: string }>(
    'select topic, partition, decided_up_to from read.position',
  );
  const decided = new Map(rows.map((row) => [`${row.topic}/${row.partition}`, Number(row.decided_up_to)]));
  return fences.every(({ facts, offset }) => (decided.get(`${facts.topic}/${facts.partition}`) ?? 0) > offset);
};
