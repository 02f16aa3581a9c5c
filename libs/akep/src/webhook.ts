import { fromBase64, toBase64 } from './base64.ts';
import type { Mac } from './mac.ts';
import { type WebhookHeaders, webhookHeaderNames } from './webhook-headers.ts';

/** A secret that may verify: of one producer, for one subscriber, under one key id. `until` in milliseconds: retired from then on. */
export type WebhookKey = {
  readonly producer: string;
  readonly keyId: string;
  readonly secret: Uint8Array;
  readonly until?: number;
};

/** Every key that verifies; or that none does, which says no more than that: whether anybody is known by that name, nobody learns. */
export type Verification<K extends WebhookKey> =
  | { readonly kind: 'verified'; readonly keys: readonly [K, ...K[]] }
  | { readonly kind: 'unverified' };

/** Stands in where there is no candidate, so that an unknown producer takes as long as a bad signature. */
const nobody: WebhookKey = { producer: '', keyId: '', secret: new Uint8Array(32) };

/**
 * Which of the candidates signed exactly these bytes (W-2). A key that is retired by now verifies nothing (W-5); neither does one
 * with another key id than the request names (W-1). All candidates and signatures are looked at, whatever is found. One HMAC of
 * the body for each candidate: how many there are, the caller bounds.
 */
export const verify = <K extends WebhookKey>(
  mac: Mac,
  headers: WebhookHeaders,
  body: Uint8Array,
  candidates: readonly K[],
  at: number,
): Verification<K> => {
  const { keyId } = headers;
  const active = candidates.filter(
    (key) => (key.until === undefined || key.until > at) && (keyId === undefined || key.keyId === keyId),
  );
  if (active.length === 0) signs(mac, nobody, headers, body);
  const [first, ...others] = active.filter((key) => signs(mac, key, headers, body));
  return first === undefined ? { kind: 'unverified' } : { kind: 'verified', keys: [first, ...others] };
};

const signs = (mac: Mac, { secret }: WebhookKey, headers: WebhookHeaders, body: Uint8Array): boolean => {
  const expected = signature(mac, secret, headers, body);
  return headers.signatures.filter((given) => mac.equal(given, expected)).length > 0;
};

type Signed = Pick<WebhookHeaders, 'id' | 'timestamp'>;

/** Over `id.timestamp.body`, the bytes as they are (W-2). */
const signature = (mac: Mac, secret: Uint8Array, { id, timestamp }: Signed, body: Uint8Array): Uint8Array =>
  mac.hmacSha256(secret, [new TextEncoder().encode(`${id}.${timestamp}.`), body]);

/** The headers of a webhook of ours; with several secrets, during a rotation, several signatures (D-4, W-2). `at` in milliseconds. */
export const signedHeaders = (
  mac: Mac,
  {
    id,
    body,
    at,
    keyId,
  }: { readonly id: string; readonly body: Uint8Array; readonly at: number; readonly keyId?: string },
  secrets: readonly [Uint8Array, ...Uint8Array[]],
): { readonly [name: string]: string } => {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => `v1,${toBase64(signature(mac, secret, { id, timestamp }, body))}`);
  return {
    [webhookHeaderNames.id]: id,
    [webhookHeaderNames.timestamp]: timestamp,
    [webhookHeaderNames.signature]: signatures.join(' '),
    ...(keyId === undefined ? {} : { [webhookHeaderNames.keyId]: keyId }),
  };
};

const prefix = 'whsec_';
/** As Standard Webhooks has it. */
export const secretBytes = { min: 24, max: 64 } as const;

/** A secret as it is shown, once: `whsec_` and base64 (S-3). Random bytes come from the caller. */
export const secretText = (secret: Uint8Array): string => `${prefix}${toBase64(secret)}`;

/** The bytes of a secret; undefined if the text is none. */
export const secretOf = (text: string): Uint8Array | undefined => {
  const bytes = text.startsWith(prefix) ? fromBase64(text.slice(prefix.length)) : undefined;
  return bytes !== undefined && bytes.length >= secretBytes.min && bytes.length <= secretBytes.max ? bytes : undefined;
};
