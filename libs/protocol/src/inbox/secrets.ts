import { accept, type Context, type Decision, refuse } from '../kernel.ts';
import type { InboxAction } from './actions.ts';
import type { InboxEffect } from './effects.ts';
import { limitOf } from './limit-of.ts';
import { type Existing, type Secret, secretOf } from './state.ts';

type Of<T extends InboxAction['type']> = Extract<InboxAction, { type: T }>;
type New = Of<'akep.issue-secret'> | Of<'akep.rotate-secret'>;

/** One more secret of a producer, beside those it has (S-3, W-5). A key id names one live secret of its producer. */
export const issue = (inbox: Existing, action: Of<'akep.issue-secret'>, context: Context): Decision<InboxEffect> =>
  notIssued(inbox, action, context) ?? accept(issued(action));

/** A new secret in place of the active ones, which verify for the overlap still (W-5). */
export const rotate = (inbox: Existing, action: Of<'akep.rotate-secret'>, context: Context): Decision<InboxEffect> => {
  const before = ofProducer(inbox, action.producer).filter(({ status }) => status === 'active');
  if (before.length === 0) return refuse('wrong_state');
  const refused = notIssued(inbox, action, context);
  if (refused !== undefined) return refused;
  const until = context.at + action.overlapSeconds * 1_000;
  return accept(
    issued(action),
    ...before.map((secret) => (action.overlapSeconds === 0 ? retired(secret) : retiring(secret, until))),
  );
};

/** A secret verifies nothing from here on (W-5). */
export const retire = (inbox: Existing, action: Of<'akep.retire-secret'>): Decision<InboxEffect> => {
  const secret = secretOf(inbox, action);
  return secret === undefined ? refuse('not_found') : accept(retired(secret));
};

const ofProducer = ({ secrets }: Existing, producer: string): readonly Secret[] =>
  secrets.filter((secret) => secret.producer === producer);

const notIssued = (inbox: Existing, action: New, context: Context): Decision<never> | undefined => {
  const full =
    ofProducer(inbox, action.producer).length >= limitOf(context, 'akepSecretsMax') ||
    inbox.secrets.length >= limitOf(context, 'akepInboxSecretsMax');
  return full || secretOf(inbox, action) !== undefined ? refuse('wrong_state') : undefined;
};

const issued = ({ producer, key, content, hash }: New): InboxEffect => ({
  type: 'inbox.secret-issued',
  producer,
  key,
  content,
  hash,
});
const retiring = ({ producer, key }: Secret, until: number): InboxEffect => ({
  type: 'inbox.secret-retiring',
  producer,
  key,
  until,
});
export const retired = ({ producer, key, content }: Secret): InboxEffect => ({
  type: 'inbox.secret-retired',
  producer,
  key,
  content,
});
