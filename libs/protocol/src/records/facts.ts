import { z } from 'zod';
import { agentEffect } from '../agent/effects.ts';
import { actionId, agentId, administration, engagementId, millis, ordinal, sha256 } from '../ids.ts';
import { inboxEffect } from '../inbox/effects.ts';
import { memoryCreated, memoryEffect } from '../memory/effects.ts';
import { isRefusalCode, type RefusalCode } from '../refusals.ts';
import { taskEffect } from '../task/effects.ts';
import { role, threadEffect } from '../thread/effects.ts';

/** Effects of the account walk in a partition; they stand on the agent, not on one of the partition's own objects (engine.md §6). */
export const accountEffect = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('account.inactive'), agent: agentId, walk: ordinal }),
  z.strictObject({ type: z.literal('account.active'), agent: agentId, walk: ordinal }),
  /** The closing fact: this partition has applied the walk. */
  z.strictObject({ type: z.literal('account.applied'), agent: agentId, walk: ordinal }),
]);
export type AccountEffect = Readonly<z.infer<typeof accountEffect>>;

export const kindName = z.enum(['agent', 'memory', 'thread', 'task', 'akep.inbox']);

/** Every fact names its cause (L1-3). */
export const cause = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('action'),
    id: actionId,
    attempt: ordinal,
    agent: z.union([agentId, z.literal(administration)]),
    action: z.string(),
    binding: sha256,
    fingerprint: z.string(),
  }),
  z.strictObject({ kind: z.literal('deadline'), dueAt: millis }),
  z.strictObject({
    kind: z.literal('account'),
    agent: agentId,
    walk: ordinal,
    change: z.enum(['deactivate', 'activate']),
  }),
]);
export type Cause = Readonly<z.infer<typeof cause>>;

const options = [
  ...agentEffect.options,
  ...memoryEffect.options,
  ...threadEffect.options.filter((o) => o !== memoryCreated),
  ...taskEffect.options,
  ...inboxEffect.options,
  ...accountEffect.options,
] as const;
const anyEffect = z.discriminatedUnion(
  'type',
  options as unknown as readonly [
    typeof memoryEffect,
    typeof agentEffect,
    typeof threadEffect,
    typeof taskEffect,
    typeof inboxEffect,
    typeof accountEffect,
  ],
);

/** One accepted action, deadline or account change with all its effects: one record (L2-1). `at` is log time. */
export const fact = z.strictObject({
  object: z.strictObject({ kind: kindName, id: z.string() }),
  /** Number of this fact on its object, from 1. */
  revision: ordinal,
  at: millis,
  cause,
  effects: z.array(anyEffect),
  /** Only on a success without effects (L2-4). */
  existing: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('membership'), membership: ordinal, role }),
      z.strictObject({ type: z.literal('engagement'), engagement: engagementId, number: ordinal }),
    ])
    .optional(),
  /** Copied from the input: where the content log must have been read to (engine.md §5). */
  content: z.array(z.strictObject({ partition: z.int().min(0), next: z.int().min(0) })).optional(),
});
export type Fact = Readonly<z.infer<typeof fact>>;
export type AnyEffect = Fact['effects'][number];

/** First record of an owner; its nonce is the epoch of all that follow (engine.md §3). `format` is what the owner writes. */
export const claim = z.strictObject({ nonce: z.string().min(8), format: z.int().min(1) });
export type Claim = Readonly<z.infer<typeof claim>>;

/** Last record of a batch: how far the inputs are decided, and which were refused (codes only). */
export const decided = z.strictObject({
  /** Next input offset to decide. */
  upTo: z.int().min(0),
  /** Log time at the end of the batch (O5). */
  at: millis,
  /** The highest fence seen. */
  generation: z.int().min(0),
  refused: z.array(
    z.strictObject({
      /** Offset of the input. */
      input: z.int().min(0),
      action: actionId,
      attempt: ordinal,
      binding: sha256,
      code: z.string().refine((code): code is RefusalCode => isRefusalCode(code)),
      notAfter: millis,
      retryAfter: z.int().min(0).optional(),
    }),
  ),
});
export type Decided = Readonly<z.infer<typeof decided>>;
export type Refused = Decided['refused'][number];
