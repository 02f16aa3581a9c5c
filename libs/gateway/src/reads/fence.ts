import type { Reader } from '@kungfu/read-model';

/** Whether the read model may lack what was acknowledged: then nothing but receipts is told (engine.md §4, 7). */
export const isFenced = async (reader: Reader): Promise<boolean> => {
  const { rows } = await reader.query<{ fenced: boolean }>({
    name: 'read.fenced',
    text: 'select fenced from gateway.generation',
  });
  return rows[0]?.fenced ?? false;
};
