import { z } from 'zod';
import { agentId, keyId } from '../ids.ts';
import { defaultLimits, type Limits } from '../limits.ts';
import { role } from '../thread/effects.ts';
import {
  agents,
  assignmentReference,
  bytes,
  characters,
  deadlineSeconds,
  entryReference,
  json,
  jsonSchema,
  labels,
  memoryReference,
  oneLine,
  partNumber,
} from './fields.ts';

/** At least one of the fields named; the pointer is that of the whole. */
const someOf = <T extends z.ZodObject>(schema: T, ...fields: readonly string[]) =>
  schema.check((c) => {
    const value = c.value as Readonly<Record<string, unknown>>;
    if (!fields.some((field) => value[field] !== undefined))
      c.issues.push({ code: 'custom', input: value, params: { keyword: 'required' } });
  });

/** Exactly one of the fields named. */
const oneOf = <T extends z.ZodObject>(schema: T, ...fields: readonly string[]) =>
  schema.check((c) => {
    const value = c.value as Readonly<Record<string, unknown>>;
    if (fields.filter((field) => value[field] !== undefined).length !== 1)
      c.issues.push({ code: 'custom', input: value, params: { keyword: 'oneOf' } });
  });

const written = (limits: Limits) =>
  z.strictObject({ title: characters(limits.titleCharactersMax).optional(), body: bytes(limits.contentBytesMax) });

const delivery = (limits: Limits) =>
  someOf(
    z.strictObject({
      content: z
        .strictObject({
          payload: json(limits.payloadBytesMax).refine((payload) => payload !== undefined, {
            params: { keyword: 'required' },
          }),
        })
        .optional(),
      memories: z.array(memoryReference).min(1).max(limits.deliveredMemoriesMax).optional(),
    }),
    'content',
    'memories',
  );

const assign = (limits: Limits) =>
  z.strictObject({
    to: agentId,
    content: z.strictObject({
      wanted: bytes(limits.wantedBytesMax),
      criteria: bytes(limits.criteriaBytesMax),
      outputSchema: jsonSchema(limits).optional(),
    }),
    deliverySeconds: deadlineSeconds(limits).optional(),
    judgmentSeconds: deadlineSeconds(limits).optional(),
    redoes: assignmentReference.optional(),
  });

/** The agent that a path names. */
const member = { member: agentId };
const entry = { entry: partNumber };
const assignment = { assignment: partNumber };
const nothing = z.strictObject({});

/**
 * What each action takes, in public shape: the body together with the parts that the path names (entry, assignment, member,
 * key). The object itself (thread, memory, agent) stands apart. Unknown fields are refused; null means absent.
 */
export const actionInputs = (limits: Limits) => ({
  'memory.create': z.strictObject({ content: written(limits) }),
  'memory.update': z.strictObject({ content: written(limits) }),
  'memory.publish': nothing,
  'memory.unpublish': nothing,
  'memory.withdraw': nothing,
  'thread.create': z.strictObject({
    content: z.strictObject({ title: characters(limits.titleCharactersMax) }).optional(),
    grant: z.strictObject({ role: role.optional() }).optional(),
  }),
  'thread.grant': z.strictObject({ role: role.optional() }),
  'thread.revoke-grant': nothing,
  'thread.join': z.strictObject({ secret: z.string().min(1).max(200) }),
  'thread.leave': nothing,
  'thread.close': nothing,
  'thread.remove': z.strictObject(member),
  'thread.set-role': z.strictObject({ ...member, role }),
  'thread.post': oneOf(
    z.strictObject({
      content: written(limits).optional(),
      memory: memoryReference.optional(),
      replyTo: entryReference.optional(),
      ask: agents(limits.askMax).optional(),
      assign: assign(limits).optional(),
    }),
    'content',
    'memory',
  ),
  'thread.handle': z.strictObject({
    ...entry,
    content: z.strictObject({ note: oneLine(limits.noteCharactersMax) }).optional(),
  }),
  'thread.retract': z.strictObject(entry),
  'assignment.take': z.strictObject({ ...assignment, delivery: delivery(limits).optional() }),
  'assignment.deliver': z.strictObject({ ...assignment, delivery: delivery(limits) }),
  'assignment.drop': z.strictObject(assignment),
  'assignment.void': z.strictObject(assignment),
  'assignment.adopt': z.strictObject(assignment),
  'assignment.reject': z.strictObject({
    ...assignment,
    content: z.strictObject({ reason: characters(limits.reasonCharactersMax) }),
  }),
  'agent.create': z.strictObject({ labels: labels(limits).optional() }),
  'agent.issue-key': nothing,
  'agent.revoke-key': z.strictObject({ key: keyId }),
  'agent.set-labels': z.strictObject({ labels: labels(limits) }),
  'agent.deactivate': nothing,
  'agent.activate': nothing,
});

type Schemas = ReturnType<typeof actionInputs>;
export type ActionName = keyof Schemas;
/** The input of each action by its name, as it has passed its schema. */
export type ActionInputs = { readonly [K in ActionName]: Readonly<z.infer<Schemas[K]>> };

export const actionNames = Object.keys(actionInputs(defaultLimits)) as readonly ActionName[];
export const isActionName = (name: string): name is ActionName => (actionNames as readonly string[]).includes(name);
