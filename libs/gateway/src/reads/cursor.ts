import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a cursor is bound to: the reader, the read with its path, and what it filters by. */
export type Bound = {
  readonly agent: string;
  readonly read: string;
  readonly query: Readonly<Record<string, unknown>>;
};

/**
 * Cursors: opaque, authenticated and bound to the query of one agent (contract.md, Reads). All gateways of one installation
 * share the secret.
 */
export class Cursors {
  constructor(private readonly secret: string) {}

  /** A place as a cursor. */
  write(bound: Bound, place: unknown): string {
    const payload = Buffer.from(JSON.stringify(place)).toString('base64url');
    return `${payload}.${this.#mac(bound, payload)}`;
  }

  /** The place of a cursor; undefined if it was not handed out for this query to this agent. */
  read<Place>(bound: Bound, cursor: string): Place | undefined {
    const [payload = '', mac = '', ...rest] = cursor.split('.');
    const expected = Buffer.from(this.#mac(bound, payload));
    const given = Buffer.from(mac);
    if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Place;
  }

  #mac({ agent, read, query }: Bound, payload: string): string {
    const filters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
    return createHmac('sha256', this.secret)
      .update(JSON.stringify(['v1', agent, read, filters, payload]))
      .digest()
      .subarray(0, 18)
      .toString('base64url');
  }
}
