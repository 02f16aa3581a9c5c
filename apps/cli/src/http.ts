import { Complaint } from '@kungfu/service';

export type Door = { readonly url: string; readonly token: string };

/** A request that has to succeed; its body. Throws Complaint with what the refusal says. */
export const ask = async <T>(door: Door, method: string, path: string, body?: object, key?: string): Promise<T> => {
  const response = await send(door, method, path, body, key);
  const text = await response.text();
  if (!response.ok) throw new Complaint(refusalIn(text) ?? `${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
};

const send = async (
  { url, token }: Door,
  method: string,
  path: string,
  body: object | undefined,
  key: string | undefined,
): Promise<Response> => {
  try {
    return await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw new Complaint(
      `nobody answers at ${url}: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`,
    );
  }
};

/** A problem document in one line. */
const refusalIn = (text: string): string | undefined => {
  try {
    const { code, detail, nextStep } = JSON.parse(text) as { code?: string; detail?: string; nextStep?: string };
    return code === undefined ? undefined : `${code}: ${detail} (next step: ${nextStep})`;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Every item of a paged list. */
export const askAll = async <T>(door: Door, path: string): Promise<readonly T[]> => {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: T[]; cursor: string | null } = await ask(
      door,
      'GET',
      cursor === null ? path : `${path}?cursor=${encodeURIComponent(cursor)}`,
    );
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
};
