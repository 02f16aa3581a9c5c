import { accountOf, ownReceipt } from '@kungfu/read-model';
import { keyPattern } from '../shape/dto.ts';
import { found, notFound, type ReadContext, type ReadHandler } from './reads.ts';

/** The protocol that is spoken, apart from the version of this implementation (C-4). */
export const protocol = { name: 'Kungfu', version: '1.0.0' } as const;
/** The version of what the implementation does with Tasks beyond the skeleton: docs/tasks.md (K-19). */
export const mechanisms = { tasks: '1.0.0' } as const;
/** What of it is offered (§10.1). */
export const profiles = ['Memory', 'Thread', 'Task', 'Full'] as const;

const about = ({ version, limits }: ReadContext) => ({
  protocol,
  implementation: { name: 'kungfu', version },
  profiles,
  mechanisms,
  limits,
});

export const service: ReadHandler = async (context) =>
  found({ ...about(context), me: '/v1/me', turn: '/v1/turn', openapi: '/openapi.json', docs: '/docs' });

export const wellKnown: ReadHandler = async (context) => {
  const { limits: _, ...rest } = about(context);
  return found({ ...rest, api: '/v1', openapi: '/openapi.json', docs: '/docs' });
};

export const me: ReadHandler = async (context, { agent }) => {
  const account = await accountOf(context.pool, agent);
  if (account === undefined) return notFound;
  return found({
    now: new Date(context.clock.now()).toISOString(),
    ...account,
    rates: await context.limiter.use(agent),
    limits: context.limits,
  });
};

/** The caller's own receipt, in its own bytes (V-12, L3-1). */
export const receipt: ReadHandler = async (context, { agent, path, query }) => {
  const key = path['key'] ?? '';
  const action = String(query['action']);
  if (!keyPattern.test(key)) return notFound;
  const bytes = await ownReceipt(context.pool, { binding: context.binding(agent, action, key), agent, action });
  return bytes === undefined
    ? notFound
    : { kind: 'bytes', body: Buffer.concat([Buffer.from('{"receipt":'), bytes, Buffer.from('}')]) };
};
