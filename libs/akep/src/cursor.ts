/**
 * Makes places unguessable and unchangeable: the cursors of Kungfu's reads have exactly these two functions, so an AKEP cursor is
 * one of those, under a name of its own. Here stands only what is AKEP's: what it is bound to and what a place is.
 */
export type Seal = {
  readonly write: (bound: SealBound, place: unknown) => string;
  /** Undefined if it was not handed out for this. */
  readonly read: (bound: SealBound, text: string) => unknown;
};
export type SealBound = {
  readonly agent: string;
  readonly read: string;
  readonly query: Readonly<Record<string, unknown>>;
};

/** What pages of an inbox may be narrowed by; a cursor of one filter is none of another. */
export type InboxFilter = Readonly<Record<string, string>>;

/** Where a reader stands: after the event of this sequence, 0 at the beginning; or that the cursor is none (400). */
export type Position = { readonly kind: 'after'; readonly sequence: number } | { readonly kind: 'malformed' };

export type InboxCursors = {
  /** The cursor that points after this sequence. */
  readonly write: (inbox: string, filter: InboxFilter, sequence: number) => string;
  /** Only a cursor that is absent is the beginning: an empty, foreign or changed one is malformed, never a silent restart. */
  readonly read: (inbox: string, filter: InboxFilter, cursor: string | undefined) => Position;
};

const charactersMax = 256;

/** Cursors of inboxes, the same for pages, long poll, SSE and WebSocket (R-2, D-2, D-3). */
export const inboxCursors = (seal: Seal): InboxCursors => {
  const bound = (agent: string, query: InboxFilter): SealBound => ({ agent, read: 'akep.events', query });
  return {
    write: (inbox, filter, sequence) => seal.write(bound(inbox, filter), sequence),
    read: (inbox, filter, cursor) => {
      if (cursor === undefined) return { kind: 'after', sequence: 0 };
      const sequence = cursor.length > charactersMax ? undefined : seal.read(bound(inbox, filter), cursor);
      return isSequence(sequence) ? { kind: 'after', sequence } : { kind: 'malformed' };
    },
  };
};

const isSequence = (place: unknown): place is number => Number.isSafeInteger(place) && (place as number) >= 0;
