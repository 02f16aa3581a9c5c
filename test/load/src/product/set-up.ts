import { makeAgent, type System, type TestAgent } from '@kungfu/e2e';

/** Who posts where: made through the public interfaces alone. */
export type Cast = {
  /** Pairs of an agent's key and a thread in which it speaks, mixed. */
  readonly seats: readonly { readonly key: string; readonly thread: string }[];
};

const agentsCount = 200;
const threadsCount = 64;
/** Threads that each agent speaks in: 12 or 13 speakers a thread, so that a post is a broadcast and owes nothing. */
const threadsAnAgent = 4;
const atOnce = 32;

/** Makes 200 agents and 64 threads and lets each agent join four of them. */
export const setUp = async (system: System): Promise<Cast> => {
  const agents = await inParallel(numbers(agentsCount), () => makeAgent(system));
  const governor = (thread: number): TestAgent => agents[Math.floor((thread * agentsCount) / threadsCount)]!;
  const threads = await inParallel(numbers(threadsCount), async (number) => {
    const { receipt, secret } = await governor(number).client.act('thread.create', undefined, {
      grant: { role: 'speaker' },
    });
    return { id: receipt.object, secret: String(secret) };
  });
  const pairs = numbers(threadsAnAgent).flatMap((round) =>
    agents.map((agent, number) => ({ agent, thread: threads[(number * threadsAnAgent + round) % threadsCount]! })),
  );
  const seats = await inParallel(pairs, async ({ agent, thread }) => {
    await agent.client.act('thread.join', undefined, { secret: thread.secret });
    return { key: agent.secret, thread: thread.id };
  });
  return { seats };
};

export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

/** Some at a time, results in order. */
export const inParallel = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};
