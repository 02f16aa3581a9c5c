/**
 * Keeps the idempotency keys of what has been begun and has no known outcome, so that it can be asked for again after the
 * program was ended: a Map, or whatever outlives the program. `set` has to be lasting before it returns.
 */
export interface KeyStore {
  get(intent: string): string | undefined | null | Promise<string | undefined | null>;
  set(intent: string, key: string): unknown;
  delete(intent: string): unknown;
}

/** The key of a request, made before its first attempt, and what to do once its outcome is known. */
export type HeldKey = { readonly key: string; settle(): Promise<void> };

const nothing = async (): Promise<void> => undefined;

/** Holds a key: the one that the caller names, the one that is kept for the intent, or a new one. */
export const holdKey = async (
  store: KeyStore | undefined,
  given: { readonly key?: string | undefined; readonly intent?: string | undefined },
  request: string,
): Promise<HeldKey> => {
  if (given.key !== undefined) return { key: given.key, settle: nothing };
  if (store === undefined) return { key: crypto.randomUUID(), settle: nothing };
  const intent = given.intent ?? (await digest(request));
  const kept = await store.get(intent);
  const key = kept ?? crypto.randomUUID();
  if (kept === undefined || kept === null) await store.set(intent, key);
  return {
    key,
    settle: async () => {
      await store.delete(intent);
    },
  };
};

/** sha256: a key store does not get to see what is in a request. */
const digest = async (text: string): Promise<string> => {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
