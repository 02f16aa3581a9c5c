import type { AgentId } from '@kungfu/protocol';
import type { TestAgent } from '@kungfu/e2e';
import { Agent, type Dispatcher, request } from 'undici';

const waitSeconds = 50;
const answerMsMax = 90_000;

type Turn = { readonly items: readonly { readonly ref: string; readonly arisenAt: string }[] };

/** An agent that waits for its turn over a connection of its own, handles what it is asked, and waits again. */
export class Waiter {
  /** From the log time of each fact until its turn was here. */
  readonly latenciesMs: number[] = [];
  /** Resolves once it waits for the first time. */
  readonly waits: Promise<void>;
  readonly #agent: TestAgent;
  readonly #thread: string;
  readonly #origin: string;
  readonly #connection = new Agent({
    connections: 1,
    pipelining: 1,
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
  });
  readonly #stopping = new AbortController();
  #isWaiting: () => void = () => {};

  constructor(origin: string, agent: TestAgent, thread: string) {
    this.#origin = origin;
    this.#agent = agent;
    this.#thread = thread;
    this.waits = new Promise((resolve) => {
      this.#isWaiting = resolve;
    });
  }

  get id(): AgentId {
    return this.#agent.id as AgentId;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Goes on until stop(). Throws what a request throws. */
  async start(): Promise<void> {
    let etag = '""';
    try {
      for (let first = true; !this.#stopping.signal.aborted; first = false) {
        const asked = this.#turn(first ? '""' : etag);
        if (!first) this.#isWaiting();
        const answer = await asked;
        etag = answer.etag;
        if (answer.turn === undefined) continue;
        const now = Date.now();
        for (const { ref, arisenAt } of answer.turn.items) {
          this.latenciesMs.push(now - Date.parse(arisenAt));
          const entry = Number(ref.slice(ref.lastIndexOf('/') + 1));
          await this.#agent.client.act('thread.handle', this.#thread, { entry });
        }
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error;
    } finally {
      await this.#connection.destroy();
    }
  }

  async #turn(etag: string): Promise<{ readonly etag: string; readonly turn: Turn | undefined }> {
    const response: Dispatcher.ResponseData = await request(`${this.#origin}/v1/turn?waitSeconds=${waitSeconds}`, {
      dispatcher: this.#connection,
      headers: { authorization: `Bearer ${this.#agent.secret}`, 'if-none-match': etag },
      signal: this.#stopping.signal,
    });
    const text = await response.body.text();
    if (response.statusCode !== 200 && response.statusCode !== 304)
      throw new Error(`the turn of ${this.id}: ${response.statusCode} ${text}`);
    const turn = response.statusCode === 200 ? (JSON.parse(text) as Turn) : undefined;
    return { etag: String(response.headers.etag), turn };
  }
}
