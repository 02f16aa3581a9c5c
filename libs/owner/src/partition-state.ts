import type { AccountEffect, AnyEffect, Decided, Fact, FactRecord, Kind } from '@kungfu/protocol';
import type { Head, Store } from './store.ts';

/** A kind whose own types the owner does not need to know. */
export type ErasedKind = Kind<unknown, unknown, AnyEffect>;
export const erase = <S, A, E>(kind: Kind<S, A, E>): ErasedKind => kind as unknown as ErasedKind;

/** A recorded fact contradicts the state it is folded on: stop this partition (engine.md §3, a throw while folding). */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

type Loaded = { readonly state: unknown; readonly revision: number; readonly pieces: ReadonlyMap<string, unknown> };
type Refused = { readonly attempt: number; readonly notAfter: number };
type Account = { readonly inactive: boolean; readonly applied: number };

const isAccountEffect = (effect: AnyEffect): effect is AccountEffect => effect.type.startsWith('account.');

const accountAfter = (account: Account, effect: AccountEffect): Account => {
  switch (effect.type) {
    case 'account.inactive':
      return { ...account, inactive: true };
    case 'account.active':
      return { ...account, inactive: false };
    case 'account.applied':
      return { ...account, applied: effect.walk };
  }
};

const noPieces: ReadonlyMap<string, unknown> = new Map();
const objectsCachedMax = 10_000;

/** Keys of the store. */
const key = {
  piece: (object: string, piece: string): string => `object/${object}/${piece}`,
  binding: (binding: string): string => `binding/${binding}`,
  refused: (action: string): string => `refused/${action}`,
  account: (agent: string): string => `account/${agent}`,
  tie: (agent: string, object: string): string => `tie/${agent}/${object}`,
};
/** The piece that every object has: its number of facts. */
const revisionPiece = '#';

/**
 * The folded state of one partition: a committed part in the store, and a draft on top of it.
 *
 * Live deciding and replaying fold through the same two functions, `foldFact` and `foldDecided`; that is what makes a replay
 * equal to what the owner had, byte for byte (O6).
 */
export class PartitionState {
  readonly #kind: ErasedKind;
  readonly #store: Store;
  /** Committed objects, least recently used first. */
  readonly #cache = new Map<string, Loaded>();
  /** Committed refusals that are still remembered; all of them also stand in the store. */
  #refused = new Map<string, Refused>();

  #objects = new Map<string, { state: unknown; revision: number }>();
  #rows = new Map<string, unknown>();
  #draftRefused = new Map<string, Refused | undefined>();
  #at: number;
  #upTo: number;
  #generation: number;

  constructor(kind: ErasedKind, store: Store) {
    this.#kind = kind;
    this.#store = store;
    const head = store.head();
    this.#at = head?.at ?? 0;
    this.#upTo = head?.upTo ?? 0;
    this.#generation = head?.generation ?? 0;
    for (const row of store.keys('refused/'))
      this.#refused.set(row.slice('refused/'.length), store.get(row) as Refused);
  }

  /** Log time of the draft (O5). */
  get at(): number {
    return this.#at;
  }
  /** Next input to decide (O3). */
  get upTo(): number {
    return this.#upTo;
  }
  get generation(): number {
    return this.#generation;
  }

  /** State and number of facts of an object; the kind's initial state and 0 for one that has none. */
  object(id: string): { readonly state: unknown; readonly revision: number } {
    return this.#objects.get(id) ?? this.#load(id);
  }

  /** The fingerprint that an accepted action left under this binding. */
  fingerprint(binding: string): string | undefined {
    return this.#row(key.binding(binding)) as string | undefined;
  }

  /** The newest refused attempt of an action that is still remembered; 0 if none. */
  refusedAttempt(action: string): number {
    const refused = this.#draftRefused.has(action) ? this.#draftRefused.get(action) : this.#refused.get(action);
    return refused?.attempt ?? 0;
  }

  account(agent: string): Account {
    return (this.#row(key.account(agent)) as Account | undefined) ?? { inactive: false, applied: 0 };
  }

  /** The objects an agent is tied to, in the order of their ids. */
  tied(agent: string): readonly string[] {
    const prefix = `tie/${agent}/`;
    const keys = new Set(this.#store.keys(prefix));
    for (const row of this.#rows.keys()) if (row.startsWith(prefix)) keys.add(row);
    return [...keys].sort().map((row) => row.slice(prefix.length));
  }

  /** Folds a valid fact into the draft. Throws BrokenInvariant. */
  foldFact(fact: Fact): void {
    const { state, revision } = this.object(fact.object.id);
    if (fact.revision !== revision + 1)
      throw new BrokenInvariant(`${fact.object.id}: fact ${fact.revision} after fact ${revision}`);
    if (fact.at < this.#at) throw new BrokenInvariant(`log time goes back from ${this.#at} to ${fact.at}`);
    let folded = state;
    for (const effect of fact.effects)
      if (!isAccountEffect(effect)) folded = this.#kind.evolve(folded, effect, fact.at);
    // Nothing of the draft has changed up to here, so a fact that cannot be folded leaves no trace.
    if (fact.cause.kind === 'action') this.#bind(fact.cause.binding, fact.cause.fingerprint);
    for (const effect of fact.effects) this.#foldRows(fact.object.id, effect);
    this.#objects.set(fact.object.id, { state: folded, revision: revision + 1 });
    this.#at = fact.at;
  }

  /** Log time reaches the timestamp of an input that is being decided (O5). */
  reach(at: number): void {
    this.#at = Math.max(this.#at, at);
  }

  /** Actions of a lower generation are refused from here on (engine.md §4, 7). */
  fence(generation: number): void {
    this.#generation = Math.max(this.#generation, generation);
  }

  /** Folds a valid decided record into the draft: position, time, refusals. Throws BrokenInvariant. */
  foldDecided(decided: Decided): void {
    if (decided.upTo < this.#upTo || decided.at < this.#at) throw new BrokenInvariant('a decided record goes back');
    this.#upTo = decided.upTo;
    this.#at = decided.at;
    this.#generation = Math.max(this.#generation, decided.generation);
    for (const { action, attempt, notAfter } of decided.refused) this.#draftRefused.set(action, { attempt, notAfter });
    this.#forgetRefused();
  }

  fold(record: FactRecord): void {
    switch (record.type) {
      case 'claim':
        return;
      case 'decided':
        return this.foldDecided(record.decided);
      case 'fact':
        return this.foldFact(record.fact);
    }
  }

  /** Writes the draft to the store, together with where it stands. */
  commit(place: Pick<Head, 'next' | 'chain' | 'last' | 'version'>): void {
    const writes = new Map(this.#rows);
    for (const [id, { state, revision }] of this.#objects) this.#writePieces(writes, id, state, revision);
    for (const [action, refused] of this.#draftRefused) {
      writes.set(key.refused(action), refused);
      if (refused === undefined) this.#refused.delete(action);
      else this.#refused.set(action, refused);
    }
    this.#store.commit({ ...place, at: this.#at, upTo: this.#upTo, generation: this.#generation }, writes);
    this.#forgetDraft();
  }

  /** Forgets the draft: what was decided did not become valid, or will be folded from the log. */
  discard(): void {
    const head = this.#store.head();
    this.#at = head?.at ?? 0;
    this.#upTo = head?.upTo ?? 0;
    this.#generation = head?.generation ?? 0;
    this.#forgetDraft();
  }

  #foldRows(object: string, effect: AnyEffect): void {
    if (!isAccountEffect(effect)) {
      for (const agent of this.#kind.ties(effect)) this.#rows.set(key.tie(agent, object), 1);
      return;
    }
    const before = this.account(effect.agent);
    this.#rows.set(key.account(effect.agent), accountAfter(before, effect));
  }

  #bind(binding: string, fingerprint: string): void {
    if (this.fingerprint(binding) !== undefined)
      throw new BrokenInvariant(`a second fact for the binding ${binding} (O2)`);
    this.#rows.set(key.binding(binding), fingerprint);
  }

  /** A refusal is remembered until log time passes its notAfter: later attempts are refused `expired` anyway. */
  #forgetRefused(): void {
    for (const [action, { notAfter }] of this.#refused) {
      if (notAfter < this.#at && !this.#draftRefused.has(action)) this.#draftRefused.set(action, undefined);
    }
    for (const [action, refused] of this.#draftRefused) {
      if (refused !== undefined && refused.notAfter < this.#at) this.#draftRefused.set(action, undefined);
    }
  }

  #row(name: string): unknown {
    return this.#rows.has(name) ? this.#rows.get(name) : this.#store.get(name);
  }

  #load(id: string): Loaded {
    const cached = this.#cache.get(id);
    if (cached !== undefined) {
      this.#cache.delete(id);
      this.#cache.set(id, cached);
      return cached;
    }
    const revision = this.#store.get(key.piece(id, revisionPiece)) as number | undefined;
    if (revision === undefined) return { state: this.#kind.initial, revision: 0, pieces: noPieces };
    const prefix = key.piece(id, '');
    const pieces = new Map<string, unknown>();
    for (const row of this.#store.keys(prefix))
      if (row !== prefix + revisionPiece) pieces.set(row.slice(prefix.length), this.#store.get(row));
    return this.#remember(id, {
      state: pieces.size === 0 ? this.#kind.initial : this.#kind.fromPieces(pieces),
      revision,
      pieces,
    });
  }

  #remember(id: string, loaded: Loaded): Loaded {
    this.#cache.delete(id);
    this.#cache.set(id, loaded);
    if (this.#cache.size > objectsCachedMax)
      for (const oldest of this.#cache.keys()) return this.#forgetObject(oldest, loaded);
    return loaded;
  }

  #forgetObject(oldest: string, loaded: Loaded): Loaded {
    this.#cache.delete(oldest);
    return loaded;
  }

  #writePieces(writes: Map<string, unknown>, id: string, state: unknown, revision: number): void {
    const before = this.#load(id).pieces;
    const pieces = state === this.#kind.initial ? noPieces : this.#kind.pieces(state);
    for (const [name, piece] of pieces) if (before.get(name) !== piece) writes.set(key.piece(id, name), piece);
    for (const name of before.keys()) if (!pieces.has(name)) writes.set(key.piece(id, name), undefined);
    writes.set(key.piece(id, revisionPiece), revision);
    this.#remember(id, { state, revision, pieces });
  }

  #forgetDraft(): void {
    this.#objects = new Map();
    this.#rows = new Map();
    this.#draftRefused = new Map();
  }
}
