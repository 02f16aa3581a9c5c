import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import type { Outcome } from '../measure/closed-loop.ts';
import type { Door } from './doors.ts';
import type { Cast } from './set-up.ts';

const answerMsMax = 60_000;

/** Posts over so many connections, one request at a time on each. */
export class Poster {
  readonly #pool: Pool;
  readonly #seats: Cast['seats'];
  readonly #run = randomBytes(6).toString('hex');
  readonly #door: Door;
  #sent = 0;

  constructor(origin: string, connections: number, door: Door, { seats }: Cast) {
    this.#pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: answerMsMax });
    this.#seats = seats;
    this.#door = door;
  }

  /** Posts the next one; `ok`, or the code of the refusal. Throws when no answer comes. */
  async post(): Promise<Outcome> {
    const number = this.#sent;
    this.#sent += 1;
    const { key, thread } = this.#seats[number % this.#seats.length]!;
    const { path, headers, body: sent } = this.#door.request({ thread, key: `${this.#run}-${number}` });
    const { statusCode, body } = await this.#pool.request({
      method: 'POST',
      path,
      headers: { ...headers, authorization: `Bearer ${key}` },
      body: sent,
    });
    return this.#door.outcome(statusCode, await body.text());
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
