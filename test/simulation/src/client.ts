import type { Outcome, PublicRequest } from '@kungfu/gateway';
import type { SeededRandom } from '@kungfu/log-in-memory/simulated';
import type { Cluster } from './cluster.ts';

/** Codes after which the same request is sent again under the same key. */
const again: readonly string[] = ['pending', 'expired', 'interrupted', 'overloaded', 'rate_limited'];
const timeOutMs = 20_000;
const timedOut = { kind: 'timed-out' } as const;

/** A request and how it ended for the client. */
export type Ended = { readonly request: PublicRequest; readonly outcome: Outcome; readonly attempts: number };

/** Sends a request to any gateway, again and again under its key, until it is done or refused for good. */
export const send = async (cluster: Cluster, request: PublicRequest, random: SeededRandom): Promise<Ended> => {
  for (let attempts = 1; ; attempts++) {
    const outcome = await once(cluster, request, random);
    if (outcome.kind === 'done' || (outcome.kind === 'refused' && !again.includes(outcome.code)))
      return { request, outcome, attempts };
    await cluster.time.sleep(200 + random.below(2_000));
  }
};

const once = async (
  cluster: Cluster,
  request: PublicRequest,
  random: SeededRandom,
): Promise<Outcome | typeof timedOut> => {
  const gateway = cluster.gateway(random);
  if (gateway === undefined) return timedOut;
  const given = new AbortController();
  const late = cluster.time.sleep(timeOutMs, given.signal).then(() => timedOut);
  try {
    return await Promise.race([gateway.pipeline.execute(request), late]);
  } finally {
    given.abort();
  }
};
