import type { AgentId } from '../ids.ts';
import { accept, type Context, type Decision, refuse } from '../kernel.ts';
import type { ThreadAction } from './actions.ts';
import type { ThreadEffect } from './effects.ts';
import { authorOf, entryExists, type Existing, maySpeak, type Member, nextOf } from './state.ts';

export type Post = Extract<ThreadAction, { type: 'thread.post' }>;

/** Posts an entry: with a Memory born in it or a pinned one, as a reply, asking, with an assignment (T-20 … T-30, T-40). */
export const post = (thread: Existing, member: Member, action: Post, context: Context): Decision<ThreadEffect> => {
  if (!maySpeak(member)) return refuse('not_permitted');
  if (thread.status === 'closed') return refuse('thread_closed');
  if (!targetsFit(thread, member, action, context)) return refuse('invalid_target');
  const responders = respondersOf(thread, member, action, context);
  const answers = action.replyTo !== undefined && member.pending.includes(action.replyTo) ? 1 : 0;
  const more = responders.length - answers;
  if (more > 0 && thread.openResponses + more > context.limits.openResponsesMax) return refuse('capacity_responses');
  if (action.assign !== undefined && thread.live.size >= context.limits.liveAssignmentsMax)
    return refuse('capacity_assignments');
  if (action.memory.kind === 'unusable') return refuse(action.memory.code);
  if (action.unusableTask) return refuse('invalid_target');
  return accept(...posted(thread, member, action, responders));
};

const targetsFit = (
  thread: Existing,
  { agent }: Member,
  { replyTo, ask = [], assign }: Post,
  { inactive }: Context,
): boolean => {
  if (replyTo !== undefined && !entryExists(thread, replyTo)) return false;
  const addressable = (named: AgentId): boolean => maySpeak(thread.members.get(named)) && !inactive(named);
  if (!ask.every((named) => named !== agent && addressable(named))) return false;
  if (assign === undefined) return true;
  return addressable(assign.to) && (assign.redoes === undefined || assign.redoes < nextOf(thread.assignments));
};

/** Whom the entry asks: determined once, in the order of §6.3 (T-24 … T-28). Nobody who is being deactivated. */
const respondersOf = (thread: Existing, member: Member, action: Post, { inactive }: Context): readonly AgentId[] =>
  [...new Set(asked(thread, member, action))].filter((agent) => !inactive(agent));

const asked = (thread: Existing, { agent }: Member, { ask, replyTo }: Post): readonly AgentId[] => {
  if (ask !== undefined) return ask;
  const author = replyTo === undefined ? undefined : authorOf(thread, replyTo);
  if (author !== undefined && author !== agent) return maySpeak(thread.members.get(author)) ? [author] : [];
  const speakers = [...thread.members.values()].filter(maySpeak);
  return speakers.length === 2 ? speakers.filter((other) => other.agent !== agent).map((other) => other.agent) : [];
};

const posted = (
  thread: Existing,
  member: Member,
  action: Post,
  responders: readonly AgentId[],
): readonly ThreadEffect[] => {
  const { memory, replyTo, task, assign } = action;
  const entry = nextOf(thread.entries);
  const { agent, membership } = member;
  const born = memory.kind === 'born' ? memory : undefined;
  const pin = memory.kind === 'reference' ? memory.pin : { id: born!.id, version: 1 };
  return [
    ...(born === undefined
      ? []
      : [{ type: 'memory.created', memory: born.id, author: agent, content: born.content, entry } as const]),
    {
      type: 'entry.posted',
      entry,
      author: agent,
      membership,
      memory: pin,
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(task === undefined ? {} : { task }),
    },
    ...(replyTo !== undefined && member.pending.includes(replyTo)
      ? [{ type: 'response.ended', entry: replyTo, agent, how: 'reply' } as const]
      : []),
    ...responders.map((responder) => ({ type: 'response.owed', entry, agent: responder }) as const),
    ...(assign === undefined ? [] : [assigned(thread, agent, entry, assign)]),
  ];
};

const assigned = (
  thread: Existing,
  creator: AgentId,
  entry: number,
  { to, redoes, ...contract }: NonNullable<Post['assign']>,
): ThreadEffect => ({
  type: 'assignment.created',
  assignment: nextOf(thread.assignments),
  entry,
  creator,
  assignee: to,
  ...contract,
  ...(redoes === undefined ? {} : { redoes }),
});
