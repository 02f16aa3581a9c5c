import { fromBase64 } from './base64.ts';

/** The headers of a webhook, read (W-1). */
export type WebhookHeaders = {
  readonly id: string;
  /** Seconds since 1970, as text: that is what is signed. */
  readonly timestamp: string;
  /** Those with the tag `v1`; what has another tag, or is no signature, is passed over and grants nothing (W-2). */
  readonly signatures: readonly Uint8Array[];
  readonly keyId?: string;
};

export const webhookHeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  keyId: 'webhook-signature-key-id',
} as const;
type HeaderName = (typeof webhookHeaderNames)[keyof typeof webhookHeaderNames];

/** The headers, or the first that is not as it has to be. */
export type ReadHeaders =
  | { readonly kind: 'ok'; readonly headers: WebhookHeaders }
  | { readonly kind: 'refused'; readonly header: HeaderName; readonly why: 'missing' | 'malformed' };

/** What a request carries, by names in lower case; a name that came twice may be a list. */
export type RawHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** More signatures than these are no rotation. */
export const signaturesMax = 16;
const signatureCharactersMax = 100;

/** Neither takes a dot, so what is signed can be cut in one way only (W-3). */
const forms: { readonly [K in HeaderName]: RegExp } = {
  'webhook-id': /^[A-Za-z0-9_:-]{8,128}$/,
  'webhook-timestamp': /^(?:0|[1-9][0-9]{0,11})$/,
  'webhook-signature': new RegExp(
    `^[!-~]{1,${signatureCharactersMax}}(?: [!-~]{1,${signatureCharactersMax}}){0,${signaturesMax - 1}}$`,
  ),
  'webhook-signature-key-id': /^[!-~]{1,128}$/,
};

/** Reads the headers of a webhook: all but the key id are required, and none may come twice (W-1, W-3). */
export const readHeaders = (raw: RawHeaders): ReadHeaders => {
  for (const header of Object.values(webhookHeaderNames)) {
    const value = raw[header];
    if (value === undefined && header === webhookHeaderNames.keyId) continue;
    if (value === undefined) return { kind: 'refused', header, why: 'missing' };
    if (typeof value !== 'string' || !forms[header].test(value)) return { kind: 'refused', header, why: 'malformed' };
  }
  const keyId = raw[webhookHeaderNames.keyId] as string | undefined;
  return {
    kind: 'ok',
    headers: {
      id: raw[webhookHeaderNames.id] as string,
      timestamp: raw[webhookHeaderNames.timestamp] as string,
      signatures: signaturesIn(raw[webhookHeaderNames.signature] as string),
      ...(keyId === undefined ? {} : { keyId }),
    },
  };
};

const signatureBytes = 32;

const signaturesIn = (header: string): readonly Uint8Array[] =>
  header.split(' ').flatMap((signature) => {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice('v1,'.length)) : undefined;
    return bytes?.length === signatureBytes ? [bytes] : [];
  });

/** How far a webhook's time may be from ours, either way (W-4). */
export const toleranceSecondsDefault = 300;

/** Whether a webhook was sent now, as far as clocks agree: `at` is our time in milliseconds (W-4). */
export const isTimely = (
  { timestamp }: WebhookHeaders,
  at: number,
  toleranceSeconds: number = toleranceSecondsDefault,
): boolean => Math.abs(at - Number(timestamp) * 1_000) <= toleranceSeconds * 1_000;
