import { accountOf, type AccountStatus, accountsPage, keysOf, snapshot } from '@kungfu/read-model';
import { found, notFound, paged, type ReadHandler } from './reads.ts';

/** Keys of one agent that are shown at most, living ones first. */
const keysShown = 100;

export const agents: ReadHandler = (context, call) =>
  paged(context, call, '', (after, limit) =>
    accountsPage(context.pool, { after, limit, status: call.query['status'] as AccountStatus | undefined }),
  );

export const agent: ReadHandler = (context, { path }) =>
  snapshot(context.pool, async (reader) => {
    const id = path['agent'] ?? '';
    const account = await accountOf(reader, id);
    return account === undefined ? notFound : found({ ...account, keys: await keysOf(reader, id, keysShown) });
  });
