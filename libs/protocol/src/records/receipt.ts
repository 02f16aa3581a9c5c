import {
  assignmentRef,
  contractRef,
  engagementRef,
  entryRef,
  grantRef,
  memberRef,
  versionRef,
} from '../catalogue/references.ts';
import type { AnyEffect, Fact } from './facts.ts';
import { type AboutInbox, aboutInbox, type InboxReceipt, inboxRef, partOfInbox } from './receipt-of-inbox.ts';

/** A duty that the action began; `deadline` where it has one. */
export type Begun = {
  readonly obligation: Obligation;
  readonly ref: string;
  readonly agent: string;
  readonly deadline?: string;
};
/** A duty that the action ended, and how. */
export type Ended = {
  readonly obligation: Obligation;
  readonly ref: string;
  readonly agent: string;
  readonly how: string;
};
/** What the action made of something. */
export type Transition = {
  readonly ref: string;
  readonly became: string;
  readonly how?: string;
  readonly role?: string;
  readonly agent?: string;
};
export type Obligation = 'respond' | 'deliver' | 'judge';

/**
 * What happened then (L3-3): protocol facts only, nothing the acting agent may not read (C-3), no content, no hints, no
 * places in the log. Numbers are those of the one thing that the action is about.
 */
export type Receipt = {
  readonly receipt: 'v1';
  readonly action: string;
  readonly agent: string;
  readonly object: string;
  /** What was made or changed. */
  readonly ref: string;
  /** Log time, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly version?: number;
  readonly entry?: number;
  readonly replyTo?: string;
  /** The pinned version of an entry. */
  readonly memory?: string;
  readonly task?: string;
  readonly assignment?: number;
  /** The pinned versions of a delivery. */
  readonly memories?: readonly string[];
  readonly engagement?: string;
  /** The versions that an engagement binds (K-8). */
  readonly inputs?: readonly string[];
  readonly membership?: number;
  readonly role?: string;
  readonly key?: string;
  /** sha256 of the secret that the first result carried (L3-4). */
  readonly secretFingerprint?: string;
  /** A success without effects: what was there already (L2-4). */
  readonly existing?:
    | { readonly type: 'membership'; readonly membership: number; readonly role: string }
    | { readonly type: 'engagement'; readonly engagement: string };
  readonly transitions: readonly Transition[];
  readonly begun: readonly Begun[];
  readonly ended: readonly Ended[];
} & InboxReceipt;

const utf8 = new TextEncoder();

/**
 * The receipt of a fact as bytes; undefined for a fact that no action caused. Frozen: the same fact gives the same bytes
 * for ever (L3-1). A change makes a v2 beside it, for actions that only newer code takes.
 */
export const receiptOf = (fact: Fact): Uint8Array | undefined => {
  const receipt = receiptOfV1(fact);
  return receipt === undefined ? undefined : utf8.encode(JSON.stringify(receipt));
};

const receiptOfV1 = (fact: Fact): Receipt | undefined => {
  const { cause, object, existing } = fact;
  if (cause.kind !== 'action') return undefined;
  const parts = fact.effects.map((effect) => partOf(effect, object.id, cause));
  const about: About = Object.assign({}, ...parts.map((part) => part.about ?? {}));
  return {
    receipt: 'v1',
    action: cause.action,
    agent: cause.agent,
    object: object.id,
    ref: existing === undefined ? refOf(object.id, cause.action, about) : existingRef(object.id, existing, cause.agent),
    at: iso(fact.at),
    ...ordered(about),
    ...(existing === undefined ? {} : { existing: toldOf(existing) }),
    transitions: parts.flatMap((part) => part.transition ?? []),
    begun: parts.flatMap((part) => part.begun ?? []),
    ended: parts.flatMap((part) => part.ended ?? []),
  };
};

type About = Pick<
  Receipt,
  | 'version'
  | 'entry'
  | 'replyTo'
  | 'memory'
  | 'task'
  | 'assignment'
  | 'memories'
  | 'engagement'
  | 'inputs'
  | 'membership'
  | 'role'
  | 'key'
  | 'secretFingerprint'
> &
  AboutInbox & { readonly member?: string };

/** What one effect adds to the receipt. */
export type ReceiptPart = {
  readonly about?: About;
  readonly transition?: Transition;
  readonly begun?: Begun;
  readonly ended?: Ended | readonly Ended[];
};

/** What the action made or changed, most telling first. */
const refOf = (object: string, action: string, about: About): string => {
  const { member } = about;
  if (action.startsWith('akep.')) return inboxRef(object, about);
  if (action === 'thread.create' || action === 'task.create') return object;
  if (about.engagement !== undefined) return engagementRef(object, about.engagement);
  if (action.startsWith('memory.') || action === 'task.revise')
    return about.version === undefined ? object : `${object}/versions/${about.version}`;
  if (action.startsWith('assignment.') && about.assignment !== undefined)
    return assignmentRef(object, about.assignment);
  if (about.entry !== undefined) return entryRef(object, about.entry);
  return member === undefined ? object : memberRef(object, member);
};

type Found = NonNullable<Fact['existing']>;
const existingRef = (object: string, existing: Found, agent: string): string =>
  existing.type === 'membership' ? memberRef(object, agent) : engagementRef(object, existing.engagement);
/** Numbers of engagements stay inside: they would tell how many others there are (V-10). */
const toldOf = (existing: Found): NonNullable<Receipt['existing']> =>
  existing.type === 'membership'
    ? { type: existing.type, membership: existing.membership, role: existing.role }
    : { type: existing.type, engagement: existing.engagement };

/** The fields in their fixed order, absent ones left out. */
const ordered = (about: About): About => {
  const names = [
    'version',
    'entry',
    'replyTo',
    'memory',
    'task',
    'assignment',
    'memories',
    'engagement',
    'inputs',
    'membership',
    'role',
    'key',
    'secretFingerprint',
    ...aboutInbox,
  ] as const;
  return Object.fromEntries(names.flatMap((name) => (about[name] === undefined ? [] : [[name, about[name]]])));
};

const iso = (millis: number): string => new Date(millis).toISOString();

/** Actions that are about an entry and add none. */
const onEntry: readonly string[] = ['thread.handle', 'thread.retract'];

type Doing = { readonly agent: string; readonly action: string };

const partOf = (effect: AnyEffect, object: string, doing: Doing): ReceiptPart => {
  switch (effect.type) {
    case 'agent.created':
      return { transition: { ref: object, became: 'created' } };
    case 'agent.labels-set':
      return { transition: { ref: object, became: 'labelled' } };
    case 'agent.key-issued':
      return {
        about: { key: effect.key, secretFingerprint: effect.hash },
        transition: { ref: effect.key, became: 'issued' },
      };
    case 'agent.key-revoked':
      return { about: { key: effect.key }, transition: { ref: effect.key, became: 'revoked' } };
    case 'agent.deactivating':
    case 'agent.deactivated':
    case 'agent.activating':
    case 'agent.activated':
      return { transition: { ref: object, became: effect.type.slice('agent.'.length) } };
    case 'memory.created':
      return {
        ...(effect.entry === undefined ? { about: { version: 1 } } : {}),
        transition: { ref: versionRef({ id: effect.memory, version: 1 }), became: 'created' },
      };
    case 'memory.born':
      return {};
    case 'memory.updated':
      return {
        about: { version: effect.version },
        transition: { ref: `${object}/versions/${effect.version}`, became: 'created' },
      };
    case 'memory.published':
    case 'memory.unpublished':
    case 'memory.withdrawn':
      return { transition: { ref: object, became: effect.type.slice('memory.'.length) } };
    case 'thread.created':
      return { about: { membership: 1, role: 'governor' }, transition: { ref: object, became: 'created' } };
    case 'grant.issued':
      return {
        about: { secretFingerprint: effect.hash },
        transition: { ref: grantRef(object, effect.grant), became: 'issued', role: effect.role },
      };
    case 'grant.voided':
      return { transition: { ref: grantRef(object, effect.grant), became: 'voided', how: effect.how } };
    case 'member.joined':
      return {
        about: { membership: effect.membership, role: effect.role, member: effect.agent },
        transition: { ref: memberRef(object, effect.agent), became: 'joined', role: effect.role },
      };
    case 'member.role-set':
      return {
        about: { membership: effect.membership, role: effect.role, member: effect.agent },
        transition: { ref: memberRef(object, effect.agent), became: 'role-set', role: effect.role },
      };
    case 'membership.ended':
      return {
        about: { membership: effect.membership, member: effect.agent },
        transition: { ref: memberRef(object, effect.agent), became: 'ended', how: effect.how },
      };
    case 'entry.posted':
      return {
        about: {
          entry: effect.entry,
          memory: versionRef(effect.memory),
          ...(effect.replyTo === undefined ? {} : { replyTo: entryRef(object, effect.replyTo) }),
          ...(effect.task === undefined ? {} : { task: effect.task }),
        },
        transition: { ref: entryRef(object, effect.entry), became: 'posted' },
      };
    case 'response.owed':
      return { begun: { obligation: 'respond', ref: entryRef(object, effect.entry), agent: effect.agent } };
    case 'response.ended':
      return {
        ...(onEntry.includes(doing.action) ? { about: { entry: effect.entry } } : {}),
        ended: { obligation: 'respond', ref: entryRef(object, effect.entry), agent: effect.agent, how: effect.how },
      };
    case 'assignment.created':
    case 'assignment.taken':
    case 'assignment.delivered':
    case 'assignment.adopted':
    case 'assignment.rejected':
    case 'assignment.dropped':
    case 'assignment.voided':
    case 'assignment.timed-out':
    case 'assignment.undecided':
    case 'judgment.forfeited':
      return assignmentPart(effect, object, doing);
    case 'thread.closed':
      return { transition: { ref: object, became: 'closed', how: effect.how } };
    case 'task.created':
      return { transition: { ref: object, became: 'created' } };
    case 'contract.stated':
      return {
        about: { version: effect.version },
        transition: { ref: contractRef(object, effect.version), became: 'stated' },
      };
    case 'task.paused':
    case 'task.resumed':
      return { transition: { ref: object, became: effect.type.slice('task.'.length) } };
    case 'engagement.confirmed':
    case 'engagement.delivered':
    case 'engagement.adopted':
    case 'engagement.rejected':
    case 'engagement.undecided':
    case 'engagement.dropped':
    case 'engagement.timed-out':
      return engagementPart(effect, object, doing);
    case 'account.inactive':
    case 'account.active':
    case 'account.applied':
      return {};
    case 'inbox.subscribed':
    case 'inbox.subscription-revised':
    case 'inbox.unsubscribed':
    case 'inbox.secret-issued':
    case 'inbox.secret-retiring':
    case 'inbox.secret-retired':
    case 'inbox.event-received':
    case 'inbox.event-acknowledged':
    case 'inbox.events-expired':
    case 'inbox.wait-declared':
    case 'inbox.wait-ended':
    case 'inbox.resume-queued':
    case 'inbox.resume-leased':
    case 'inbox.resume-completed':
    case 'inbox.delivered':
    case 'inbox.resend-asked':
    case 'inbox.endpoint-disabled':
    case 'inbox.endpoint-enabled':
      return partOfInbox(effect, doing.action);
  }
};

type AssignmentEffect = Extract<AnyEffect, { readonly assignment: number }>;

const assignmentPart = (effect: AssignmentEffect, object: string, { agent }: Doing): ReceiptPart => {
  const ref = assignmentRef(object, effect.assignment);
  const about = { assignment: effect.assignment };
  switch (effect.type) {
    case 'assignment.created':
      return { about, transition: { ref, became: 'created', agent: effect.assignee } };
    case 'assignment.taken':
      return {
        about,
        transition: { ref, became: 'taken', agent: effect.taker },
        begun: { obligation: 'deliver', ref, agent: effect.taker, deadline: iso(effect.deliverBy) },
      };
    case 'assignment.delivered':
      return {
        about: { ...about, memories: effect.memories.map(versionRef) },
        transition: { ref, became: 'delivered' },
        ended: { obligation: 'deliver', ref, agent, how: 'delivered' },
        begun: { obligation: 'judge', ref, agent: effect.judge, deadline: iso(effect.judgeBy) },
      };
    case 'assignment.adopted':
    case 'assignment.rejected': {
      const how = effect.type.slice('assignment.'.length);
      return { about, transition: { ref, became: how }, ended: { obligation: 'judge', ref, agent, how } };
    }
    case 'assignment.dropped':
      return {
        about,
        transition: { ref, became: 'dropped' },
        ended: { obligation: 'deliver', ref, agent, how: 'dropped' },
      };
    case 'assignment.voided':
      return {
        ...(effect.how === 'creator' ? { about } : {}),
        transition: { ref, became: 'voided', how: effect.how },
        ended: effect.taker === undefined ? [] : { obligation: 'deliver', ref, agent: effect.taker, how: 'voided' },
      };
    case 'assignment.timed-out':
    case 'assignment.undecided':
      return { transition: { ref, became: effect.type.slice('assignment.'.length) } };
    case 'judgment.forfeited':
      return { ended: { obligation: 'judge', ref, agent: effect.agent, how: 'forfeited' } };
  }
};

type EngagementEffect = Extract<AnyEffect, { readonly engagement: string }>;

const engagementPart = (effect: EngagementEffect, object: string, { agent }: Doing): ReceiptPart => {
  const { engagement } = effect;
  const ref = engagementRef(object, engagement);
  const about = { engagement };
  switch (effect.type) {
    case 'engagement.confirmed':
      return {
        about: { ...about, version: effect.version, inputs: effect.inputs.map(versionRef) },
        transition: { ref, became: 'confirmed' },
        begun: { obligation: 'deliver', ref, agent: effect.agent, deadline: iso(effect.deliverBy) },
      };
    case 'engagement.delivered':
      return {
        about: { ...about, memories: effect.memories.map(versionRef) },
        transition: { ref, became: 'delivered' },
        ended: { obligation: 'deliver', ref, agent, how: 'delivered' },
        begun: { obligation: 'judge', ref, agent: effect.judge, deadline: iso(effect.judgeBy) },
      };
    case 'engagement.adopted':
    case 'engagement.rejected': {
      const how = effect.type.slice('engagement.'.length);
      return { about, transition: { ref, became: how }, ended: { obligation: 'judge', ref, agent, how } };
    }
    case 'engagement.dropped':
      return {
        about,
        transition: { ref, became: 'dropped' },
        ended: { obligation: 'deliver', ref, agent, how: 'dropped' },
      };
    case 'engagement.undecided':
    case 'engagement.timed-out':
      return { transition: { ref, became: effect.type.slice('engagement.'.length) } };
  }
};
