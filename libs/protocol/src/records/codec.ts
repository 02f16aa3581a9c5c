import { type Claim, claim, type Decided, decided, type Fact, fact } from './facts.ts';
import { type ActionEnvelope, actionEnvelope, type Input, input } from './inputs.ts';

/** A record as a log takes it (log port): the key is the object id, headers are text. */
export type Encoded = {
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
};

/** What stands on a fact topic. `epoch` and `n` are those of its headers; a claim has no `n` of its own. */
export type FactRecord =
  | { readonly type: 'claim'; readonly epoch: string; readonly claim: Claim }
  | { readonly type: 'decided'; readonly epoch: string; readonly n: number; readonly decided: Decided }
  | { readonly type: 'fact'; readonly epoch: string; readonly n: number; readonly fact: Fact };

/** A record that cannot be read: an unknown type, a missed schema, bytes that are no JSON. */
export class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
}

const text = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { fatal: true });
const bytes = (value: unknown): Uint8Array => text.encode(JSON.stringify(value));

/** Key of control records: they belong to no object. */
const controlKey = '-';
const controlTypes = { claim: 'kungfu.control.claim.v1', decided: 'kungfu.control.decided.v1' } as const;

export type Place = { readonly kind: string; readonly partition: number; readonly epoch: string; readonly n: number };

/** `kungfu.thread.posted.v1` for the action `thread.post`; deadlines and account changes have a type of their own. */
export const factType = ({ object, cause }: Fact): string => {
  if (cause.kind === 'action') return `kungfu.${pastTense(cause.action)}.v1`;
  return cause.kind === 'deadline'
    ? `kungfu.${object.kind}.deadline-passed.v1`
    : `kungfu.${object.kind}.account-changed.v1`;
};

const pastTenses: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  publish: 'published',
  unpublish: 'unpublished',
  withdraw: 'withdrawn',
  grant: 'granted',
  'revoke-grant': 'grant-revoked',
  join: 'joined',
  leave: 'left',
  close: 'closed',
  remove: 'member-removed',
  'set-role': 'role-set',
  post: 'posted',
  handle: 'handled',
  retract: 'retracted',
  take: 'taken',
  deliver: 'delivered',
  drop: 'dropped',
  void: 'voided',
  adopt: 'adopted',
  reject: 'rejected',
  revise: 'revised',
  pause: 'paused',
  resume: 'resumed',
  'issue-key': 'key-issued',
  'revoke-key': 'key-revoked',
  'set-labels': 'labels-set',
  deactivate: 'deactivation-started',
  activate: 'activation-started',
  subscribe: 'subscribed',
  'revise-subscription': 'subscription-revised',
  unsubscribe: 'unsubscribed',
  'issue-secret': 'secret-issued',
  'rotate-secret': 'secret-rotated',
  'retire-secret': 'secret-retired',
  resend: 'resend-asked',
  'enable-endpoint': 'endpoint-enabled',
  'disable-endpoint': 'endpoint-disabled',
  receive: 'received',
  notify: 'notified',
  ack: 'acknowledged',
  wait: 'wait-declared',
  claim: 'claimed',
  complete: 'completed',
  delivered: 'delivered',
};
const pastTense = (action: string): string => {
  const [noun = '', verb = ''] = action.split('.');
  const past = pastTenses[verb];
  if (past === undefined) throw new Error(`no fact type for the action ${action}`);
  return `${noun}.${past}`;
};

/** A fact as a CloudEvent in Kafka binary mode (engine.md §2). */
export const encodeFact = (value: Fact, place: Place): Encoded => ({
  key: value.object.id,
  value: bytes(value),
  headers: headers(factType(value), place, value.object.id, value.at),
});

export const encodeDecided = (value: Decided, place: Place): Encoded => ({
  key: controlKey,
  value: bytes(value),
  headers: headers(controlTypes.decided, place, '', value.at),
});

/** `at` is the owner's clock: a claim decides nothing, so its time is for people only. */
export const encodeClaim = (
  value: Claim,
  { kind, partition, at }: { kind: string; partition: number; at: number },
): Encoded => {
  const { kf_n: _, ...rest } = headers(controlTypes.claim, { kind, partition, epoch: value.nonce, n: 0 }, '', at);
  return { key: controlKey, value: bytes(value), headers: rest };
};

const headers = (
  type: string,
  { kind, partition, epoch, n }: Place,
  subject: string,
  at: number,
): Record<string, string> => ({
  ce_specversion: '1.0',
  ce_id: `${kind}/${partition}/${epoch}/${n}`,
  ce_source: `/kungfu/${kind}/${partition}`,
  ce_type: type,
  ...(subject === '' ? {} : { ce_subject: subject }),
  ce_time: new Date(at).toISOString(),
  'content-type': 'application/json',
  kf_epoch: epoch,
  kf_n: String(n),
});

/** Reads a record of a fact topic. Throws UnreadableRecord. */
export const decodeFactRecord = (record: {
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
}): FactRecord => {
  const epoch = record.headers['kf_epoch'];
  const type = record.headers['ce_type'];
  if (epoch === undefined || type === undefined) throw new UnreadableRecord('a record without kf_epoch or ce_type');
  const value = json(record.value);
  if (type === controlTypes.claim) return { type: 'claim', epoch, claim: parsed(claim, value) };
  const n = Number(record.headers['kf_n']);
  if (!Number.isSafeInteger(n)) throw new UnreadableRecord('a record without kf_n');
  if (type === controlTypes.decided) return { type: 'decided', epoch, n, decided: parsed(decided, value) as Decided };
  return { type: 'fact', epoch, n, fact: parsed(fact, value) };
};

/** An input as it stands on an actions topic. */
export const encodeInput = (value: Input): Encoded => ({
  key: value.kind === 'fence' ? controlKey : value.kind === 'account' ? value.agent : value.object,
  value: bytes(value),
  headers: { 'content-type': 'application/json' },
});

/** Reads a record of an actions topic. Throws UnreadableRecord. */
export const decodeInput = (record: { readonly value: Uint8Array | null }): Input => parsed(input, json(record.value));

/** As decodeInput; undefined for a record of an unknown shape, so that an owner can park it and pass. */
export const readInput = (record: { readonly value: Uint8Array | null }): Input | undefined =>
  attempt(() => decodeInput(record));

/** Which attempt of which action a record is, if it says at least that: enough to refuse what cannot be read. */
export const readEnvelope = (record: { readonly value: Uint8Array | null }): ActionEnvelope | undefined =>
  attempt(() => parsed(actionEnvelope, json(record.value)));

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
};

const json = (value: Uint8Array | null): unknown => {
  if (value === null) throw new UnreadableRecord('a record without a value');
  try {
    return JSON.parse(utf8.decode(value));
  } catch (error) {
    throw new UnreadableRecord('a record that is no JSON in UTF-8', { cause: error });
  }
};

const parsed = <T>(
  schema: { safeParse: (value: unknown) => { success: boolean; data?: T; error?: Error } },
  value: unknown,
): T => {
  const result = schema.safeParse(value);
  if (!result.success) throw new UnreadableRecord('a record of an unknown shape', { cause: result.error });
  return result.data as T;
};
