import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Timers } from '@kungfu/log-port';
import { type FirstAgent, type Greeting, greetingOf } from './greeting.ts';

/** The administration of the Kungfu that has just started. */
type Administration = { readonly url: string; readonly token: string };

/** Marks a data folder whose first agents have been told of. */
const marker = (data: string): string => join(data, 'first-agents');
const attemptsMax = 20;

/** Says where everything is and, at the first start over a data folder that only this machine can reach, makes two agents and tells their keys. */
export const greet = async (
  where: Omit<Greeting, 'agents'> & { readonly token: string },
  say: (text: string) => void,
  timers: Timers,
): Promise<void> => {
  const isFirst = !existsSync(marker(where.data)) && isLoopback(new URL(where.url).hostname);
  const agents = isFirst ? await makeFirstAgents({ url: where.adminUrl, token: where.token }, timers) : [];
  say(greetingOf({ ...where, agents }));
  // Told: never again. A start that dies before gives the same agents new keys.
  if (isFirst) writeFileSync(marker(where.data), '');
};

/** Keys are told on the screen only where nobody else can reach what they open. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** Two agents, through the administration as anybody would make them. */
const makeFirstAgents = async (administration: Administration, timers: Timers): Promise<readonly FirstAgent[]> => {
  const agents: FirstAgent[] = [];
  // Ids follow from the keys: those of another installation would have the same agents.
  const own = createHash('sha256').update(administration.token).digest('hex').slice(0, 16);
  for (const name of ['first-agent', 'second-agent'])
    agents.push(await makeAgent(`${name}-${own}`, administration, timers));
  return agents;
};

const makeAgent = async (name: string, administration: Administration, timers: Timers): Promise<FirstAgent> => {
  const made = await act(administration, timers, '', name);
  const id = made.receipt.object;
  // Made by a start before this one: the key of that time cannot be told again.
  const secret = made.secret ?? (await act(administration, timers, `/${id}/keys`, undefined)).secret;
  if (secret === undefined) throw new Error(`the administration has issued no key for ${id}`);
  return { id, secret };
};

type Done = { readonly receipt: { readonly object: string }; readonly secret?: string };

/** Without a key of its own the request gets a new one; repeated only under a key. */
const act = async (
  { url, token }: Administration,
  timers: Timers,
  path: string,
  key: string | undefined,
): Promise<Done> => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url}/admin/v1/agents${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: '{}',
    });
    if (response.ok) return (await response.json()) as Done;
    const problem = await response.text();
    if (response.status !== 503 || attempt === attemptsMax)
      throw new Error(`the first agents could not be made: ${response.status} ${problem}`);
    await timers.sleep(500);
  }
};
