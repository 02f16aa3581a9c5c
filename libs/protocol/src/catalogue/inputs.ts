import { z } from 'zod';
import { agentId, engagementId, keyId } from '../ids.ts';
import { defaultLimits, type Limits } from '../limits.ts';
import { adoptedReaders, withoutJudgment } from '../task/effects.ts';
import { role } from '../thread/effects.ts';
import {
  agents,
  assignmentReference,
  bytes,
  characters,
  deadlineSeconds,
  engagementReference,
  entryReference,
  json,
  jsonSchema,
  labels,
  memoryReference,
  oneLine,
  partNumber,
  taskReference,
} from './fields.ts';

/** At least one of the fields named; the pointer is that of the whole. */
const someOf = <T extends z.ZodObject>(schema: T, ...fields: readonly string[]) =>
  schema.check((c) => {
    const value = c.value as Readonly<Record<string, unknown>>;
    if (!fields.some((field) => value[field] !== undefined))
      c.issues.push({ code: 'custom', input: value, params: { keyword: 'required', fields } });
  });

/** Exactly one of the fields named. */
const oneOf = <T extends z.ZodObject>(schema: T, ...fields: readonly string[]) =>
  schema.check((c) => {
    const value = c.value as Readonly<Record<string, unknown>>;
    if (fields.filter((field) => value[field] !== undefined).length !== 1)
      c.issues.push({ code: 'custom', input: value, params: { keyword: 'oneOf', fields } });
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

/** What a contract says (K-1 … K-4); deadlines, result without judgment, judge and readers have defaults. */
const contract = (limits: Limits) => ({
  content: z.strictObject({
    title: characters(limits.titleCharactersMax).optional(),
    wanted: bytes(limits.wantedBytesMax),
    criteria: bytes(limits.criteriaBytesMax),
    outputSchema: jsonSchema(limits).optional(),
  }),
  requiredInputs: z.array(memoryReference).max(limits.requiredInputsMax).optional(),
  informative: z.array(memoryReference).max(limits.requiredInputsMax).optional(),
  deliverySeconds: deadlineSeconds(limits).optional(),
  judgmentSeconds: deadlineSeconds(limits).optional(),
  withoutJudgment: withoutJudgment.optional(),
  judge: agentId.optional(),
  eligibility: labels(limits).optional(),
  maxAdoptions: partNumber.optional(),
  adoptedReaders: adoptedReaders.optional(),
});

const audience = (limits: Limits) =>
  z.union([z.literal('open'), z.strictObject({ restricted: agents(limits.audienceMax).min(1) })]).meta({
    description: 'Who may take it, for ever: "open", or the agents named under "restricted".',
  });

/** Deliveries of a restricted Task are not for everyone (V-11); a revision is weighed by the owner. */
const readersFit = <T extends z.ZodObject>(schema: T) =>
  schema.check((c) => {
    const { audience: named, adoptedReaders: readers } = c.value as Readonly<Record<string, unknown>>;
    if (readers === 'anyone' && typeof named === 'object')
      c.issues.push({ code: 'custom', input: readers, path: ['adoptedReaders'], params: { keyword: 'enum' } });
  });

/** The agent that a path names. */
const member = { member: agentId };
const entry = { entry: partNumber };
const assignment = { assignment: partNumber };
const engagement = { engagement: engagementId };
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
      task: taskReference.optional(),
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
  'task.create': readersFit(z.strictObject({ ...contract(limits), audience: audience(limits).optional() })),
  'task.revise': z.strictObject(contract(limits)),
  'task.pause': nothing,
  'task.resume': nothing,
  'task.take': z.strictObject({
    version: partNumber.optional(),
    redoes: engagementReference.optional(),
    delivery: delivery(limits).optional(),
  }),
  'engagement.deliver': z.strictObject({ ...engagement, delivery: delivery(limits) }),
  'engagement.drop': z.strictObject(engagement),
  'engagement.adopt': z.strictObject(engagement),
  'engagement.reject': z.strictObject({
    ...engagement,
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
