import { z } from 'zod';
import { agentId } from '../ids.ts';
import type { Receipt } from '../records/receipt.ts';
import { type ActionName, actionNames, isActionName } from './inputs.ts';

/** A short suggestion of what to do first with a result; never a substitute for the turn (O-8). */
export type Hint = { readonly action: ActionName; readonly ref: string };
export const hintsMax = 3;

const obligation = z.enum(['respond', 'deliver', 'judge']);
const time = z.iso.datetime().describe('ISO 8601, UTC, milliseconds');

/** The receipt as documents describe it; receipts are made by receiptOf alone. */
export const receiptSchema = z.object({
  receipt: z.literal('v1'),
  action: z.enum(actionNames as readonly [ActionName, ...ActionName[]]),
  agent: z.union([agentId, z.literal('administration')]),
  object: z.string(),
  ref: z.string().describe('What was made or changed.'),
  at: time,
  version: z.int().optional(),
  entry: z.int().optional(),
  replyTo: z.string().optional(),
  memory: z.string().optional(),
  task: z.string().optional(),
  assignment: z.int().optional(),
  memories: z.array(z.string()).optional(),
  membership: z.int().optional(),
  role: z.string().optional(),
  key: z.string().optional(),
  secretFingerprint: z.string().optional().describe('sha256 of the secret that the first result carried.'),
  engagement: z.string().optional(),
  inputs: z.array(z.string()).optional().describe('The versions that an engagement binds.'),
  existing: z
    .union([
      z.object({ type: z.literal('membership'), membership: z.int(), role: z.string() }),
      z.object({ type: z.literal('engagement'), engagement: z.string() }),
    ])
    .optional(),
  transitions: z.array(
    z.object({
      ref: z.string(),
      became: z.string(),
      how: z.string().optional(),
      role: z.string().optional(),
      agent: z.string().optional(),
    }),
  ),
  begun: z.array(z.object({ obligation, ref: z.string(), agent: z.string(), deadline: time.optional() })),
  ended: z.array(z.object({ obligation, ref: z.string(), agent: z.string(), how: z.string() })),
});

/** The success of an action. */
export const actionResult = z.object({
  receipt: receiptSchema,
  secret: z.string().optional().describe('Only in the first successful result (L3-4).'),
  hints: z.array(z.object({ action: z.string(), ref: z.string() })).max(hintsMax),
});

/** What suggests itself after an action: a pure function of the receipt, so that a replay hints the same. */
export const hintsFor = (receipt: Receipt): readonly Hint[] => {
  const { object, ref } = receipt;
  // Actions of AKEP have no hints: their callers follow its own contract.
  if (!isActionName(receipt.action)) return [];
  // What was there already may have gone further: its working set tells.
  if (receipt.existing?.type === 'engagement') return [];
  switch (receipt.action) {
    case 'memory.create':
      return [{ action: 'memory.publish', ref: object }];
    case 'thread.create':
    case 'thread.join':
      return [{ action: 'thread.post', ref: object }];
    case 'assignment.take':
      return receipt.begun.some(({ obligation: begun }) => begun === 'judge')
        ? []
        : [
            { action: 'assignment.deliver', ref },
            { action: 'assignment.drop', ref },
          ];
    case 'task.take':
      return receipt.begun.some(({ obligation: begun }) => begun === 'judge')
        ? []
        : [
            { action: 'engagement.deliver', ref },
            { action: 'engagement.drop', ref },
          ];
    case 'assignment.reject':
      return [{ action: 'thread.post', ref: object }];
    case 'thread.close':
    case 'memory.update':
    case 'memory.publish':
    case 'memory.unpublish':
    case 'memory.withdraw':
    case 'thread.grant':
    case 'thread.revoke-grant':
    case 'thread.leave':
    case 'thread.remove':
    case 'thread.set-role':
    case 'thread.post':
    case 'thread.handle':
    case 'thread.retract':
    case 'assignment.deliver':
    case 'assignment.drop':
    case 'assignment.void':
    case 'assignment.adopt':
    case 'task.create':
    case 'task.revise':
    case 'task.pause':
    case 'task.resume':
    case 'engagement.deliver':
    case 'engagement.drop':
    case 'engagement.adopt':
    case 'engagement.reject':
    case 'agent.create':
    case 'agent.issue-key':
    case 'agent.revoke-key':
    case 'agent.set-labels':
    case 'agent.deactivate':
    case 'agent.activate':
      return [];
  }
};
