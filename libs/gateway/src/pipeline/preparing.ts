import type { Random } from '@kungfu/log-port';
import {
  type ActionInput,
  type Limits,
  parseReference,
  type Pin,
  type ShapeError,
  type WalkPartition,
} from '@kungfu/protocol';
import type { WrittenContent } from './identity.ts';
import type { SchemaChecker } from './output-schema.ts';
import type { References } from './tables.ts';

export type Payload = ActionInput['payload'];

/** An action ready to be appended: structure, what was written, and what only the caller may hear. */
export type Prepared = {
  readonly payload: Payload;
  readonly content: readonly WrittenContent[];
  /** Agents that the action names, to be looked up. */
  readonly names: readonly string[];
  readonly secret?: { readonly secret: string; readonly hash: string };
  /** Places of the caller's own request, told if the owner refuses for what the gateway stamped. */
  readonly errors?: readonly ShapeError[];
};

export type PrepareContext = {
  readonly agent: string;
  readonly object: string;
  readonly binding: string;
  readonly random: Random;
  readonly references: References;
  readonly schemas: SchemaChecker;
  readonly limits: Limits;
  /** All partitions that an account walk has to pass. */
  readonly walkPartitions: readonly WalkPartition[];
};

/** An action of structure alone. */
export const structure = (payload: Payload, names: readonly string[] = []): Prepared => ({
  payload,
  content: [],
  names,
});

/** A Memory as an action pins it, or why it cannot. */
export type Referenced =
  | { readonly kind: 'reference'; readonly pin: Pin; readonly author: string }
  | { readonly kind: 'unusable'; readonly code: 'invalid_target' | 'memory_withdrawn' };

/** Resolves a Memory to be pinned: one's own at any version while valid, another's while public and at its current one (M-10). */
export const referenced = async (text: string, { agent, references }: PrepareContext): Promise<Referenced> => {
  const invalid = { kind: 'unusable', code: 'invalid_target' } as const;
  const reference = parseReference(text);
  if (reference?.kind !== 'memory' && reference?.kind !== 'version') return invalid;
  const asked = reference.kind === 'version' ? reference.version : undefined;
  const memory = await references.memory(reference.memory, asked);
  if (memory === undefined) return invalid;
  const mine = memory.author === agent;
  if (!mine && (memory.status !== 'valid' || memory.visibility !== 'public')) return invalid;
  if (memory.status === 'withdrawn') return { kind: 'unusable', code: 'memory_withdrawn' };
  const fits = asked === undefined || (mine ? memory.hasVersion : asked === memory.current);
  return fits
    ? { kind: 'reference', pin: { id: reference.memory, version: asked ?? memory.current }, author: memory.author }
    : invalid;
};
