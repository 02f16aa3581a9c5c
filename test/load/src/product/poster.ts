import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import type { Outcome } from '../measure/closed-loop.ts';
import type { Cast } from './set-up.ts';

const answerMsMax = 60_000;

/** Posts over so many connections, one request at a time on each. */
export class Poster {
  readonly #pool: Pool;
  readonly #seats: Cast['seats'];
  readonly #run = randomBytes(6).toString('hex');
  readonly #body: string;
  #sent = 0;

  constructor(origin: string, connections: number, contentBytes: number, { seats }: Cast) {
    this.#pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: answerMsMax });
    this.#seats = seats;
    this.#body = JSON.stringify({ content: { body: randomBytes(contentBytes / 2).toString('hex') } });
  }

  /** Posts the next one; `ok`, or the code of the refusal. Throws when no answer comes. */
  async post(): Promise<Outcome> {
    const number = this.#sent;
    this.#sent += 1;
    const { key, thread } = this.#seats[number % this.#seats.length]!;
    const { statusCode, body } = await this.#pool.request({
      method: 'POST',
      path: `/v1/threads/${thread}/entries`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `${this.#run}-${number}`,
      },
      body: this.#body,
    });
    const text = await body.text();
    if (statusCode === 200 || statusCode === 201) return 'ok';
    return (JSON.parse(text) as { code?: string }).code ?? String(statusCode);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
