/**
 * Takes account walks through every partition they list (engine.md §6, docs/adr/0001): one `apply` a partition that has not
 * applied the walk, again every few seconds while it has not, and `complete` to the agent's own partition once all have.
 *
 * Whole interface: start(), stop(), round(). Keeps nothing that it needs: owners ignore a walk that they have applied, and
 * an account a completion of a walk that is not under way.
 */
import { type Log, partitionOf } from '@kungfu/log-port';
import type { AgentId, Input, KindName } from '@kungfu/protocol';
import type { AccountWalk, AccountWalks } from './account-walks.ts';
import { Inputs } from './inputs.ts';
import { LeasedLoop, type LoopPorts } from './leased-loop.ts';
import { Repeats } from './repeats.ts';

export type CoordinatorPorts = LoopPorts & { readonly log: Log; readonly walks: AccountWalks };

type Step = { readonly name: string; readonly kind: KindName; readonly partition: number; readonly input: Input };

const pageItems = 100;
const pagesMax = 10;
const pollMs = 200;
const repeatMs = 3_000;

export class AccountCoordinator {
  readonly #ports: CoordinatorPorts;
  readonly #inputs: Inputs;
  readonly #repeats = new Repeats(repeatMs);
  readonly #loop: LeasedLoop;
  #after = '';

  constructor(ports: CoordinatorPorts) {
    this.#ports = ports;
    this.#inputs = new Inputs(ports.log);
    this.#loop = new LeasedLoop('coordinator', pollMs, () => this.round(), ports);
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#inputs.close();
  }

  /** Goes once through the walks under way, at most so many pages; how many inputs it has sent. Throws when log or database are away. */
  async round(): Promise<number> {
    let sent = 0;
    for (let page = 0; page < pagesMax; page++) {
      const walks = await this.#ports.walks.underWay({ after: this.#after, limit: pageItems });
      sent += await this.#send((await Promise.all(walks.map((walk) => this.#steps(walk)))).flat());
      this.#after = walks.length < pageItems ? '' : walks.at(-1)!.agent;
      if (this.#after === '') break;
    }
    return sent;
  }

  async #steps({ agent: id, walk, change, missing }: AccountWalk): Promise<readonly Step[]> {
    const agent = id as AgentId;
    const step = (kind: KindName, partition: number, which: 'apply' | 'complete'): Step => ({
      name: `${agent}/${walk}/${kind}/${partition}/${which}`,
      kind,
      partition,
      input: { kind: 'account', agent, walk, change, step: which },
    });
    if (missing.length > 0) return missing.map(({ kind, partition }) => step(kind, partition, 'apply'));
    return [step('agent', partitionOf(agent, await this.#inputs.partitions('agent')), 'complete')];
  }

  async #send(steps: readonly Step[]): Promise<number> {
    const now = this.#ports.clock.now();
    const due = steps.filter(({ name }) => this.#repeats.isDue(name, now));
    await this.#inputs.append(due);
    this.#repeats.sent(
      due.map(({ name }) => name),
      now,
    );
    return due.length;
  }
}
