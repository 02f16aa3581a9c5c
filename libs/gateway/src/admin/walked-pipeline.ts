import type { Clock } from '@kungfu/log-port';
import { accountOf, type Reader } from '@kungfu/read-model';
import type { Keys } from '../auth/keys.ts';
import type { Outcome, Pipeline, PublicRequest } from '../http/pipeline-port.ts';
import type { Wakes } from '../reads/wakes.ts';

/** An administrator waits so long for an account walk; then the answer is `pending` (engine.md §6). */
export const walkMsMax = 20_000;
const lookAgainMs = 250;

type Options = {
  readonly pipeline: Pipeline;
  readonly reader: Reader;
  readonly keys: Keys;
  readonly wakes: Wakes;
  readonly clock: Clock;
};

/**
 * The pipeline of the administration: deactivating and activating are answered when every partition has recorded them, and
 * what changes keys or accounts makes this gateway look up every key again before it answers.
 */
export class WalkedPipeline implements Pipeline {
  constructor(private readonly options: Options) {}

  async execute(request: PublicRequest): Promise<Outcome> {
    const outcome = await this.options.pipeline.execute(request);
    if (outcome.kind === 'refused') return outcome;
    this.options.keys.forget();
    const walks = request.action === 'agent.deactivate' || request.action === 'agent.activate';
    if (!walks || request.object === undefined || (await this.#settled(request.object))) return outcome;
    return { kind: 'refused', code: 'pending', retryAfter: 1 };
  }

  /** Whether the walk of the agent ends in time. */
  async #settled(agent: string): Promise<boolean> {
    const { reader, wakes, clock } = this.options;
    const until = clock.now() + walkMsMax;
    const waiter = wakes.register();
    try {
      for (;;) {
        const state = (await accountOf(reader, agent))?.state;
        if (state === 'active' || state === 'deactivated') return true;
        const left = until - clock.now();
        if (left <= 0) return false;
        await waiter.wait(Math.min(left, lookAgainMs));
      }
    } finally {
      waiter.end();
    }
  }
}
