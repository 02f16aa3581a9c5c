import { accept, type Context, type Decision, type Kind, refuse } from '../kernel.ts';
import type { InboxAction } from './actions.ts';
import { due } from './deadlines.ts';
import type { InboxEffect } from './effects.ts';
import { limitOf } from './limit-of.ts';
import { receive } from './receive.ts';
import { acknowledge, claim, complete, wait } from './resumes.ts';
import { issue, retire, retired, rotate } from './secrets.ts';
import {
  evolve,
  type Existing,
  fromPieces,
  type InboxState,
  lastSequence,
  pieces,
  type Subscription,
} from './state.ts';

type Of<T extends InboxAction['type']> = Extract<InboxAction, { type: T }>;
type OnSubscription = Exclude<Extract<InboxAction, { subscription: string }>, { type: 'akep.subscribe' }>;
type OnInbox = Of<'akep.ack' | 'akep.wait' | 'akep.claim' | 'akep.complete'>;

/** Decides an action on an inbox. To anyone but its agent there is none (S-4); doors act on it in the agent's name. */
export const decide = (state: InboxState, action: InboxAction, context: Context): Decision<InboxEffect> => {
  if (context.inactive(context.agent)) return refuse('agent_inactive');
  if (context.agent !== context.object) return refuse('not_found');
  if (action.type === 'akep.subscribe') return subscribe(state, action, context);
  if (action.type === 'akep.receive' || action.type === 'akep.notify') return receive(state, action, context);
  if (state.status === 'absent') return refuse('not_found');
  return isOnSubscription(action) ? onSubscription(state, action, context) : onInbox(state, action, context);
};

const isOnSubscription = (action: OnSubscription | OnInbox): action is OnSubscription => 'subscription' in action;

const onInbox = (inbox: Existing, action: OnInbox, context: Context): Decision<InboxEffect> => {
  switch (action.type) {
    case 'akep.ack':
      return acknowledge(inbox, action);
    case 'akep.wait':
      return wait(inbox, action, context);
    case 'akep.claim':
      return claim(inbox, action, context);
    case 'akep.complete':
      return complete(inbox, action);
  }
};

/** Begins an inbox if it is the first (S-1). */
const subscribe = (state: InboxState, action: Of<'akep.subscribe'>, context: Context): Decision<InboxEffect> => {
  const subscriptions = state.status === 'absent' ? {} : state.subscriptions;
  const full = Object.keys(subscriptions).length >= limitOf(context, 'akepSubscriptionsMax');
  if (full || Object.hasOwn(subscriptions, action.subscription)) return refuse('wrong_state');
  return accept({ ...action, type: 'inbox.subscribed', revision: 1, ...starting(state, undefined, action) });
};

const onSubscription = (inbox: Existing, action: OnSubscription, context: Context): Decision<InboxEffect> => {
  const subscription = inbox.subscriptions[action.subscription];
  if (subscription === undefined) return refuse('not_found');
  switch (action.type) {
    case 'akep.revise-subscription':
      return revise(inbox, subscription, action);
    case 'akep.unsubscribe':
      return unsubscribe(inbox, action);
    case 'akep.issue-secret':
      return issue(inbox, action, context);
    case 'akep.rotate-secret':
      return rotate(inbox, action, context);
    case 'akep.retire-secret':
      return retire(inbox, action);
    case 'akep.resend':
    case 'akep.enable-endpoint':
    case 'akep.disable-endpoint':
    case 'akep.delivered':
      return subscription.delivery === 'relay' ? refuse('wrong_state') : onEndpoint(inbox, subscription, action);
  }
};

const revise = (
  inbox: Existing,
  before: Subscription,
  action: Of<'akep.revise-subscription'>,
): Decision<InboxEffect> => {
  const revision = before.revision + 1;
  return accept({ ...action, type: 'inbox.subscription-revised', revision, ...starting(inbox, before, action) });
};

/** What begins to go out by itself begins with the events after; what went out before goes on where it stands. */
const starting = (
  state: InboxState,
  before: Subscription | undefined,
  { delivery }: Of<'akep.subscribe' | 'akep.revise-subscription'>,
): { readonly startsAfter?: number } => {
  if (delivery === 'relay' || (before !== undefined && before.delivery !== 'relay')) return {};
  return { startsAfter: state.status === 'absent' ? 0 : lastSequence(state) };
};

/** An inbox without a subscription takes nothing: with the last one its secrets go. */
const unsubscribe = (inbox: Existing, { subscription }: Of<'akep.unsubscribe'>): Decision<InboxEffect> => {
  const last = Object.keys(inbox.subscriptions).length === 1;
  return accept({ type: 'inbox.unsubscribed', subscription }, ...(last ? inbox.secrets.map(retired) : []));
};

type Endpoint = Exclude<Subscription, { delivery: 'relay' }>;
type OnEndpoint = Of<'akep.resend' | 'akep.enable-endpoint' | 'akep.disable-endpoint' | 'akep.delivered'>;

/** What goes out by itself: how far it is, and whether it goes on (D-4, D-6). */
const onEndpoint = (inbox: Existing, { position, endpoint }: Endpoint, action: OnEndpoint): Decision<InboxEffect> => {
  const { subscription } = action;
  switch (action.type) {
    case 'akep.resend':
      return resend(position, action);
    case 'akep.enable-endpoint':
      return endpoint === 'enabled' ? refuse('no_effect') : accept({ type: 'inbox.endpoint-enabled', subscription });
    case 'akep.disable-endpoint':
      return endpoint === 'disabled' ? refuse('no_effect') : accept({ ...action, type: 'inbox.endpoint-disabled' });
    case 'akep.delivered':
      return delivered(inbox, position, action);
  }
};

const resend = (position: number, { subscription, after }: Of<'akep.resend'>): Decision<InboxEffect> => {
  if (after > position) return refuse('invalid_target');
  return after === position ? refuse('no_effect') : accept({ type: 'inbox.resend-asked', subscription, after });
};

/** Only from where the position stands: else what was asked for again meanwhile would be passed over. */
const delivered = (
  inbox: Existing,
  position: number,
  { subscription, from, upTo }: Of<'akep.delivered'>,
): Decision<InboxEffect> => {
  if (upTo <= from || upTo > lastSequence(inbox)) return refuse('invalid_target');
  return from === position ? accept({ type: 'inbox.delivered', subscription, upTo }) : refuse('changed');
};

/** The inbox of an agent: what it has subscribed to, what has come, and what that resumes. It is no part of Kungfu (B-3). */
export const inboxKind: Kind<InboxState, InboxAction, InboxEffect> = {
  name: 'akep.inbox',
  initial: { status: 'absent' },
  evolve,
  decide,
  due: (state, at) => (state.status === 'open' ? due(state, at) : []),
  deactivate: () => [],
  ties: () => [],
  pieces,
  fromPieces,
};
