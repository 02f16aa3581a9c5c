import type { z } from 'zod';
import type { KungfuKind } from '../kernel.ts';
import type { RefusalCode } from '../refusals.ts';
import type { ActionName } from './inputs.ts';

/** Four sentences: what it does, when to use it, when not, and what comes next. */
export type Description = {
  readonly what: string;
  readonly when: string;
  readonly whenNot: string;
  readonly next: string;
};

/** What a caller may expect of it, as MCP names it. */
export type Annotations = {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One action: the single source of its route, its schema and its reference page (contract.md, head). */
export type ActionDefinition<N extends ActionName = ActionName> = {
  readonly name: N;
  readonly kind: KungfuKind;
  readonly door: 'agents' | 'administration';
  readonly method: Exclude<Method, 'GET'>;
  /**
   * With `{thread}`, `{memory}`, `{task}`, `{agent}` for the object and `{entry}`, `{assignment}`, `{member}`, `{engagement}`, `{key}` for
   * its parts.
   */
  readonly path: string;
  /** The path parameter that is the object; absent when the action makes the object or finds it by a secret. */
  readonly object?: KungfuKind;
  /** Path parameters that are fields of the input. */
  readonly parts: readonly Part[];
  readonly input: z.ZodObject;
  /** Pointers of the arrays that are sets: order and repetition do not count (L3-8). Every other array is a list. */
  readonly sets: readonly string[];
  /** Whether the first success carries a secret (L3-4). */
  readonly secret: boolean;
  readonly who: string;
  /** What it can be refused for, beyond what every action can (`commonRefusals`). */
  readonly refusals: readonly RefusalCode[];
  readonly description: Description;
  readonly annotations: Annotations;
};

export type Part = 'entry' | 'assignment' | 'member' | 'engagement' | 'key';

/** One read. */
export type ReadDefinition<N extends string = string> = {
  readonly name: N;
  readonly door: 'agents' | 'administration' | 'anyone';
  readonly path: string;
  /** Query parameters, as text that the schema turns into values. */
  readonly query: z.ZodObject;
  readonly refusals: readonly RefusalCode[];
  readonly description: Description;
};
