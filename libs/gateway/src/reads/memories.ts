import { availableActions, parseOrdinal } from '@kungfu/protocol';
import {
  accountOf,
  memoryText,
  memoryWhole,
  ownMemories,
  publicMemories,
  snapshot,
  versionsPage,
  versionText,
  versionWhole,
} from '@kungfu/read-model';
import { pieceAnswer } from './pieces.ts';
import { found, foundOr404, notFound, paged, type ReadCall, type ReadHandler, wholeBytes } from './reads.ts';

/** What one Memory may show of its content. Bytes. */
const wholeBytesMax = 200_000;
const memoryOf = ({ path }: ReadCall): string => path['memory'] ?? '';

export const memories: ReadHandler = (context, call) => {
  const { query, agent } = call;
  const status = query['status'] as 'valid' | 'withdrawn' | undefined;
  const visibility = query['visibility'] as 'private' | 'public' | undefined;
  return paged(context, call, '', (after, limit) =>
    query['mine'] === true
      ? ownMemories(context.pool, { agent, after, limit, status, visibility })
      : publicMemories(context.pool, { after, limit }),
  );
};

export const memory: ReadHandler = (context, call) =>
  snapshot(context.pool, async (reader) => {
    const item = await memoryWhole(reader, {
      memory: memoryOf(call),
      agent: call.agent,
      bytesMax: wholeBytes(call, wholeBytesMax),
    });
    if (item === undefined) return notFound;
    const active = (await accountOf(reader, call.agent))?.state === 'active';
    const { memory: id, status, visibility, author } = item;
    return found({
      ...item,
      available: active
        ? availableActions({ kind: 'memory', memory: id, author: author === call.agent, status, visibility })
        : [],
    });
  });

export const memoryContent: ReadHandler = async (context, call) =>
  pieceAnswer(memoryOf(call), await memoryText(context.pool, { memory: memoryOf(call), agent: call.agent }), call);

/** For who may not know the Memory it does not exist, on every page (V-14). */
export const versions: ReadHandler = (context, call) =>
  paged(context, call, 0, (after, limit) =>
    snapshot(context.pool, async (reader) => {
      const of = { memory: memoryOf(call), agent: call.agent };
      const known = await memoryWhole(reader, { ...of, bytesMax: 0 });
      return known === undefined ? undefined : versionsPage(reader, { ...of, after, limit });
    }),
  );

export const version: ReadHandler = async (context, call) => {
  const number = parseOrdinal(call.path['version']);
  if (number === undefined) return notFound;
  return foundOr404(
    await versionWhole(context.pool, {
      memory: memoryOf(call),
      version: number,
      agent: call.agent,
      bytesMax: wholeBytes(call, wholeBytesMax),
    }),
  );
};

export const versionContent: ReadHandler = async (context, call) => {
  const number = parseOrdinal(call.path['version']);
  if (number === undefined) return notFound;
  const text = await versionText(context.pool, { memory: memoryOf(call), version: number, agent: call.agent });
  return pieceAnswer(`${memoryOf(call)}/versions/${number}`, text, call);
};
