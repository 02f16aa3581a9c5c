/**
 * Tells partitions of the newest account walks that never reached them: those of a kind that is younger than a walk, or
 * that a gateway of an older version did not list (engine.md §6: a new kind receives all account states, A-4, A-7). One
 * `apply` a partition, every minute while it has not applied it.
 *
 * Whole interface: start(), stop(), round(). Keeps nothing that it needs: owners ignore a walk not above the one applied.
 */
import type { Log } from '@kungfu/log-port';
import { type AgentId, type KindName, kinds } from '@kungfu/protocol';
import type { AccountWalk } from './account-walks.ts';
import { Inputs } from './inputs.ts';
import { LeasedLoop, type LoopPorts } from './leased-loop.ts';
import type { UnseenWalks, WalkedPartition } from './unseen-walks.ts';

export type CatchUpPorts = LoopPorts & {
  readonly log: Log;
  readonly walks: UnseenWalks;
  readonly kinds?: readonly KindName[];
};

const pageItems = 100;
const pagesMax = 10;
const pollMs = 60_000;

export class AccountCatchUp {
  readonly #ports: CatchUpPorts;
  readonly #inputs: Inputs;
  readonly #loop: LeasedLoop;
  /** Where the next round goes on when there is more than one round takes. */
  #after = '';

  constructor(ports: CatchUpPorts) {
    this.#ports = ports;
    this.#inputs = new Inputs(ports.log);
    this.#loop = new LeasedLoop('catch-up', pollMs, () => this.round(), ports);
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#inputs.close();
  }

  /** Goes once through the walks that are over, at most so many pages; how many inputs it has sent. Throws when log or database are away. */
  async round(): Promise<number> {
    const partitions = await this.#partitions();
    let sent = 0;
    for (let page = 0; page < pagesMax; page++) {
      const walks = await this.#ports.walks.over({ partitions, after: this.#after, limit: pageItems });
      const steps = walks.flatMap(stepsOf);
      await this.#inputs.append(steps);
      sent += steps.length;
      this.#after = walks.length < pageItems ? '' : walks.at(-1)!.agent;
      if (this.#after === '') break;
    }
    return sent;
  }

  /** Every partition that a walk has to pass: all but those of the accounts themselves. */
  async #partitions(): Promise<readonly WalkedPartition[]> {
    const walked = (this.#ports.kinds ?? kinds).filter((kind) => kind !== 'agent');
    const counts = await Promise.all(walked.map((kind) => this.#inputs.partitions(kind)));
    return walked.flatMap((kind, i) => Array.from({ length: counts[i]! }, (_, partition) => ({ kind, partition })));
  }
}

const stepsOf = ({ agent, walk, change, missing }: AccountWalk) =>
  missing.map(({ kind, partition }) => ({
    kind,
    partition,
    input: { kind: 'account', agent: agent as AgentId, walk, change, step: 'apply' } as const,
  }));
