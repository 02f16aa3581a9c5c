import { createHash } from 'node:crypto';
import type { Random } from '@kungfu/log-port';
import { type ActionDefinition, canonical, type ContentRef, type IdPrefix, withSets } from '@kungfu/protocol';
import { TypeID } from 'typeid-js';
import type { PublicRequest } from '../http/pipeline-port.ts';

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Hash of (agent, action, key), which identifies one logical request (L3). */
export const bindingOf = (agent: string, action: string, key: string): string =>
  sha256(canonical([agent, action, key]));

/**
 * Fingerprint of what is asked for under the key: object and input in structural form (L3-8). A secret in the input enters by
 * its hash. Versioned: what a version makes of a request never changes.
 */
export const fingerprintOf = (
  { action, object, body }: PublicRequest,
  { sets }: Pick<ActionDefinition, 'sets'>,
): string => {
  const input = withSets(body, sets) as Readonly<Record<string, unknown>>;
  const secret = input['secret'];
  const safe = typeof secret === 'string' ? { ...input, secret: sha256(secret) } : input;
  return `v1:${sha256(canonical({ action, object, input: safe }))}`;
};

/** The id of what a request makes: the same for every repetition of the request (engine.md §2). */
export const derivedId = <P extends IdPrefix>(prefix: P, binding: string, part = ''): `${P}_${string}` =>
  idOf(prefix, sha256(canonical([binding, prefix, part])).slice(0, 32));

/** A new id from 128 random bits. */
export const randomId = <P extends IdPrefix>(prefix: P, random: Random): `${P}_${string}` =>
  idOf(prefix, random.hex(16));

/** 128 bits as a UUID of version 8, which TypeIDs carry. */
const idOf = <P extends IdPrefix>(prefix: P, hex: string): `${P}_${string}` => {
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return TypeID.fromUUID(prefix, uuid).toString() as `${P}_${string}`;
};

/** A new secret of 256 random bits and its hash; the prefix says what it opens. */
export const newSecret = (
  prefix: 'kfk' | 'kfg',
  random: Random,
): { readonly secret: string; readonly hash: string } => {
  const secret = `${prefix}_${Buffer.from(random.hex(32), 'hex').toString('base64url')}`;
  return { secret, hash: sha256(secret) };
};

/** What a participant wrote, as it goes to `kungfu.content`, and how a fact refers to it (engine.md §2). */
export type WrittenContent = { readonly ref: ContentRef; readonly value: Uint8Array };

/** A fresh id an attempt, so that an attempt never writes over what another's fact refers to. */
export const writeContent = (content: Readonly<Record<string, unknown>>, random: Random): WrittenContent => {
  const salt = random.hex(16);
  const value = Buffer.from(JSON.stringify({ salt, content }));
  return {
    ref: {
      id: randomId('content', random),
      bytes: Buffer.byteLength(JSON.stringify(content)),
      sha256: sha256(salt + canonical(content)),
    },
    value,
  };
};
