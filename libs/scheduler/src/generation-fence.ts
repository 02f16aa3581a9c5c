/**
 * After a rebuild, which raises the generation: sends a fence to every actions partition, again every few seconds where the
 * projector has not passed it, and lowers it once all have. Until then gateways give receipts and `pending` only, since
 * what they would read may lack what was acknowledged (engine.md §4, 7).
 *
 * Whole interface: start(), stop(), round(). Keeps nothing that it needs: a fence sent twice changes nothing.
 */
import type { Log } from '@kungfu/log-port';
import { type KindName, kinds } from '@kungfu/protocol';
import type { Generations } from './generations.ts';
import { Inputs } from './inputs.ts';
import { LeasedLoop, type LoopPorts } from './leased-loop.ts';
import { Repeats } from './repeats.ts';

export type FencePorts = LoopPorts & {
  readonly log: Log;
  readonly generations: Generations;
  readonly kinds?: readonly KindName[];
};

const pollMs = 500;
const repeatMs = 3_000;

export class GenerationFence {
  readonly #ports: FencePorts;
  readonly #inputs: Inputs;
  readonly #repeats = new Repeats(repeatMs);
  readonly #loop: LeasedLoop;

  constructor(ports: FencePorts) {
    this.#ports = ports;
    this.#inputs = new Inputs(ports.log);
    this.#loop = new LeasedLoop('fence', pollMs, () => this.round(), ports);
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#inputs.close();
  }

  /** One look at the generation; how many fences it has sent. Throws when log or database are away. */
  async round(): Promise<number> {
    const raised = await this.#ports.generations.raised();
    if (raised === undefined) return 0;
    const { generation } = raised;
    const passed = new Set(raised.passed.map(({ kind, partition }) => `${kind}/${partition}`));
    const missing = (await this.#partitions()).filter(({ name }) => !passed.has(name));
    if (missing.length === 0) await this.#ports.generations.lower(generation);
    return this.#send(missing, generation);
  }

  async #send(missing: readonly FencedPartition[], generation: number): Promise<number> {
    const now = this.#ports.clock.now();
    const due = missing.filter(({ name }) => this.#repeats.isDue(`${name}/${generation}`, now));
    await this.#inputs.append(
      due.map(({ kind, partition }) => ({ kind, partition, input: { kind: 'fence', generation } })),
    );
    this.#repeats.sent(
      due.map(({ name }) => `${name}/${generation}`),
      now,
    );
    return due.length;
  }

  async #partitions(): Promise<readonly FencedPartition[]> {
    const all = (this.#ports.kinds ?? kinds).map(async (kind) =>
      Array.from({ length: await this.#inputs.partitions(kind) }, (_, partition) => ({
        name: `${kind}/${partition}`,
        kind,
        partition,
      })),
    );
    return (await Promise.all(all)).flat();
  }
}

type FencedPartition = { readonly name: string; readonly kind: KindName; readonly partition: number };
