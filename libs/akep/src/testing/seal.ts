import type { Seal, SealBound } from '../cursor.ts';
import { nodeMac } from './mac.ts';

const secret = new Uint8Array(32).fill(9);

/** A seal that works as that of the reads does. */
export const testSeal: Seal = {
  write: (bound, place) => {
    const payload = Buffer.from(JSON.stringify(place)).toString('base64url');
    return `${payload}.${macOf(bound, payload)}`;
  },
  read: (bound, text) => {
    const [payload = '', mac, ...rest] = text.split('.');
    if (rest.length > 0 || mac !== macOf(bound, payload)) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  },
};

const macOf = ({ agent, read, query }: SealBound, payload: string): string => {
  const filters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  const signed = Buffer.from(JSON.stringify([agent, read, filters, payload]));
  return Buffer.from(nodeMac.hmacSha256(secret, [signed])).toString('base64url');
};
