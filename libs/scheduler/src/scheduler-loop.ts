/**
 * Appends a deadline input for every object with a deadline that is due, and again while it stays open (engine.md §7). The
 * owner alone decides, by log time, whether the deadline has passed; while nobody schedules, terminal facts are late and
 * nothing is wrong (§10).
 *
 * Whole interface: start(), stop(), round(). Keeps nothing that it needs: an input sent twice changes nothing.
 */
import { type Log, partitionOf } from '@kungfu/log-port';
import type { After, DueDeadline, DueDeadlines } from './due-deadlines.ts';
import { Inputs } from './inputs.ts';
import { LeasedLoop, type LoopPorts } from './leased-loop.ts';
import { Repeats } from './repeats.ts';

export type SchedulerPorts = LoopPorts & { readonly log: Log; readonly deadlines: DueDeadlines };

const pageItems = 500;
const pagesMax = 20;
const pollMs = 200;
const repeatMs = 5_000;

export class SchedulerLoop {
  readonly #ports: SchedulerPorts;
  readonly #inputs: Inputs;
  readonly #repeats = new Repeats(repeatMs);
  readonly #loop: LeasedLoop;
  /** Where the next round goes on when there is more than one round takes. */
  #after: After;

  constructor(ports: SchedulerPorts) {
    this.#ports = ports;
    this.#inputs = new Inputs(ports.log);
    this.#loop = new LeasedLoop('scheduler', pollMs, () => this.round(), ports);
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#inputs.close();
  }

  /** Goes once through what is due, at most so many pages; how many inputs it has sent. Throws when log or database are away. */
  async round(): Promise<number> {
    let sent = 0;
    for (let page = 0; page < pagesMax; page++) {
      const due = await this.#ports.deadlines.due({
        now: this.#ports.clock.now(),
        after: this.#after,
        limit: pageItems,
      });
      sent += await this.#send(due);
      this.#after = due.length < pageItems ? undefined : due.at(-1);
      if (this.#after === undefined) break;
    }
    return sent;
  }

  async #send(due: readonly DueDeadline[]): Promise<number> {
    const now = this.#ports.clock.now();
    const sending = due.filter((deadline) => this.#repeats.isDue(timeOf(deadline), now));
    const objects = new Map(sending.map((deadline) => [nameOf(deadline), deadline]));
    const inputs = await Promise.all(
      [...objects.values()].map(async ({ kind, object }) => ({
        kind,
        partition: partitionOf(object, await this.#inputs.partitions(kind)),
        input: { kind: 'deadline', object } as const,
      })),
    );
    await this.#inputs.append(inputs);
    this.#repeats.sent(sending.map(timeOf), now);
    return inputs.length;
  }
}

/** One input fires all deadlines of an object that are due. */
const nameOf = ({ kind, object }: DueDeadline): string => `${kind}/${object}`;
/** Another deadline of the same object that falls due later is sent for at once. */
const timeOf = (deadline: DueDeadline): string => `${nameOf(deadline)}/${deadline.dueAt}`;
