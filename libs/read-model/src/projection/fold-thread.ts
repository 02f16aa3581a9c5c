import type { AnyEffect } from '@kungfu/protocol';
import { keyOf } from './changes.ts';
import { type Effect, type Folding, inSameFact, placeOf } from './folding.ts';

type ThreadEffect = Extract<
  AnyEffect,
  {
    type:
      | `thread.${string}`
      | `grant.${string}`
      | `member.${string}`
      | `membership.${string}`
      | `entry.${string}`
      | `response.${string}`;
  }
>;

/** What effects on a thread, its grants, members, entries and responses change (§6). */
export const foldThread = (folding: Folding, effect: ThreadEffect) => {
  const { plan, fact } = folding;
  const thread = fact.object.id;
  const { at } = fact;
  switch (effect.type) {
    case 'thread.created':
      return create(folding, effect);
    case 'thread.closed':
      return plan.threads.change(thread, { id: thread }, { status: 'closed', closedAt: at });
    case 'grant.issued':
      return issueGrant(folding, effect);
    case 'grant.voided':
      return voidGrant(folding, effect);
    case 'member.joined':
      return join(folding, effect);
    case 'member.role-set':
      return changeMembership(folding, effect.membership, { role: effect.role });
    case 'membership.ended':
      return changeMembership(folding, effect.membership, { endedAt: at, endedHow: effect.how });
    case 'entry.posted':
      return post(folding, effect);
    case 'response.owed':
      return owe(folding, effect);
    case 'response.ended':
      return answer(folding, effect);
  }
};

/** The creator is membership 1, its governor (T-1). */
const create = ({ plan, fact }: Folding, { creator, content }: Effect<'thread.created'>): void => {
  const {
    object: { id },
    at,
    revision,
  } = fact;
  plan.threads.make(id, {
    id,
    status: 'open',
    creator,
    createdAt: at,
    revision,
    entries: 0,
    assignments: 0,
    lastAt: at,
    ...(content === undefined ? {} : { content: content.id }),
  });
  plan.memberships.make(keyOf(id, 1), { thread: id, membership: 1, agent: creator, role: 'governor', joinedAt: at });
};

const issueGrant = ({ plan, fact }: Folding, { grant: number, role, hash, by }: Effect<'grant.issued'>): void => {
  const thread = fact.object.id;
  plan.grants.make(keyOf(thread, number), { thread, number, role, hash, by, issuedAt: fact.at });
};

const voidGrant = ({ plan, fact }: Folding, { grant: number, how }: Effect<'grant.voided'>): void => {
  const thread = fact.object.id;
  plan.grants.change(keyOf(thread, number), { thread, number }, { voidedAt: fact.at, voidedHow: how });
};

const join = ({ plan, fact }: Folding, { membership, agent, role, grant }: Effect<'member.joined'>): void => {
  const thread = fact.object.id;
  plan.memberships.make(keyOf(thread, membership), { thread, membership, agent, role, grant, joinedAt: fact.at });
};

type MembershipChange = { readonly role: string } | { readonly endedAt: number; readonly endedHow: string };
const changeMembership = ({ plan, fact }: Folding, membership: number, change: MembershipChange): void => {
  const thread = fact.object.id;
  plan.memberships.change(keyOf(thread, membership), { thread, membership }, change);
};

const post = ({ plan, fact }: Folding, effect: Effect<'entry.posted'>): void => {
  const thread = fact.object.id;
  const { type: _, ...entry } = effect;
  plan.entries.make(keyOf(thread, effect.entry), { thread, ...entry, at: fact.at });
  plan.threads.change(thread, { id: thread }, { entries: effect.entry });
};

/** Whom a response is owed to stands in the same fact: the author of the entry that asks. */
const owe = (folding: Folding, { entry, agent }: Effect<'response.owed'>): void => {
  const thread = folding.fact.object.id;
  const { author: from } = inSameFact(folding, 'entry.posted');
  folding.plan.responses.make(keyOf(thread, entry, agent), { thread, entry, agent, from, place: placeOf(folding) });
};

const answer = ({ plan, fact }: Folding, { entry, agent, how, note }: Effect<'response.ended'>): void => {
  const thread = fact.object.id;
  plan.responses.change(
    keyOf(thread, entry, agent),
    { thread, entry, agent },
    { endedAt: fact.at, how, ...(note === undefined ? {} : { note: note.id }) },
  );
};
