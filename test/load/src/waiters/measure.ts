import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { makeAgent, startStandalone, type System, type TestAgent } from '@kungfu/e2e';
import { type CpuPercent, cpuPercent, cpuSeconds } from '../measure/cpu.ts';
import { percentile } from '../measure/closed-loop.ts';
import { inParallel, numbers } from '../product/set-up.ts';
import { Waiter } from './waiter.ts';

/** What 2,000 agents that wait cost, and how soon they hear. Milliseconds; bytes; CPU in percent of one core. */
export type WaitersMeasured = {
  readonly waiters: number;
  /** Actions answered a second while they waited: posts that ask one of them, and their handling of it. */
  readonly actionsPerSecond: number;
  readonly woken: number;
  /** From the log time of the fact until the waiter has its turn. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Growth of the process for each waiter that does nothing but wait. */
  readonly bytesAWaiter: number;
  readonly cpuIdle: CpuPercent;
  readonly cpu: CpuPercent;
};

export type WaitersOptions = {
  readonly waiters: number;
  readonly rate: number;
  readonly warmupMs: number;
  readonly measureMs: number;
};

const threadsCount = 4;
const idleMs = 10_000;
/** What is under way ends meanwhile. */
const settleMs = 2_000;

/** Measures on a standalone of its own; the load comes from this process. */
export const measureWaiters = async ({
  waiters,
  rate,
  warmupMs,
  measureMs,
}: WaitersOptions): Promise<WaitersMeasured> => {
  const system = await startStandalone({ rateLimits: false, logLevel: 'warn', limits: { membersMax: waiters } });
  try {
    const watched = [{ label: 'load', pid: process.pid }, ...system.processes()];
    const rooms = await inParallel(numbers(threadsCount), () => roomOf(system));
    const all = await inParallel(numbers(waiters), async (number) => {
      const agent = await makeAgent(system);
      const room = rooms[number % threadsCount]!;
      await agent.client.act('thread.join', undefined, { secret: room.secret });
      return new Waiter(system.anyone.origin, agent, room.thread);
    });
    const alone = residentBytes(system);
    const waiting = all.map((waiter) => waiter.start());
    await Promise.all(all.map((waiter) => waiter.waits));
    const idle = await during(watched, () => sleep(idleMs));
    const bytesAWaiter = (residentBytes(system) - alone) / waiters;
    await ask(rooms, all, rate / 2, warmupMs);
    await sleep(settleMs);
    for (const { latenciesMs } of all) latenciesMs.length = 0;
    const cpu = await during(watched, () => ask(rooms, all, rate / 2, measureMs));
    await sleep(settleMs);
    for (const waiter of all) waiter.stop();
    await Promise.all(waiting);
    return { waiters, bytesAWaiter, cpuIdle: idle.cpu, cpu: cpu.cpu, ...figures(all, cpu.seconds) };
  } finally {
    await system.stop();
  }
};

type Room = { readonly governor: TestAgent; readonly thread: string; readonly secret: string };

const roomOf = async (system: System): Promise<Room> => {
  const governor = await makeAgent(system);
  const { receipt, secret } = await governor.client.act('thread.create', undefined, { grant: {} });
  return { governor, thread: receipt.object, secret: String(secret) };
};

/** Asks one waiter after another, so many times a second, whatever the answers take. */
const ask = async (rooms: readonly Room[], all: readonly Waiter[], rate: number, measureMs: number): Promise<void> => {
  const begin = Date.now();
  const sent: Promise<unknown>[] = [];
  for (let number = 0; Date.now() - begin < measureMs; number++) {
    const due = begin + (number * 1_000) / rate;
    if (due > Date.now()) await sleep(due - Date.now());
    const room = rooms[number % threadsCount]!;
    const waiter = all[number % all.length]!;
    sent.push(room.governor.client.act('thread.post', room.thread, { content: { body: 'b' }, ask: [waiter.id] }));
  }
  await Promise.all(sent);
};

const during = async (
  watched: Parameters<typeof cpuSeconds>[0],
  work: () => Promise<void>,
): Promise<{ readonly cpu: CpuPercent; readonly seconds: number }> => {
  const [before, begin] = [cpuSeconds(watched), Date.now()];
  await work();
  const seconds = (Date.now() - begin) / 1_000;
  return { cpu: cpuPercent(before, cpuSeconds(watched), seconds), seconds };
};

/** Of the standalone, without the database. */
const residentBytes = (system: System): number => {
  const [{ pid } = { pid: 0 }] = system.processes();
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
};

const figures = (all: readonly Waiter[], seconds: number) => {
  const latencies = all.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
  return {
    actionsPerSecond: (2 * latencies.length) / seconds,
    woken: latencies.length,
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    p99Ms: percentile(latencies, 0.99),
  };
};
