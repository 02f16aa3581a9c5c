import pg from 'pg';
import { Batcher } from '../measure/batcher.ts';

/** What travels: an id, a partition and a text of the size of a post. */
export type Parcel = { readonly id: string; readonly partition: number; readonly text: string };

/** One log as the raw pipeline uses it: two topics, each appended in one request and followed to the end. */
export interface RawLog {
  append(topic: RawTopic, parcels: readonly Parcel[]): Promise<void>;
  /** Hands out what is appended from now on; the receiver returns at once. */
  follow(topic: RawTopic, receive: (parcels: readonly Parcel[]) => void): Promise<void>;
  close(): Promise<void>;
}
export type RawTopic = 'raw.actions' | 'raw.facts';
export const rawTopics: readonly RawTopic[] = ['raw.actions', 'raw.facts'];

export type RawLimits = { readonly itemsMax: number; readonly rowsMax: number; readonly inFlightMax: number };

const commitRows = `
  insert into raw_result (id, text)
  select * from unnest($1::text[], $2::text[])
  on conflict (id) do nothing`;

/**
 * produce → consume → produce → consume → commit in Postgres, and nothing else: the least that any Kungfu on this log has to do
 * for an action. Each stage takes all that waits for it at once.
 */
export class RawPipeline {
  readonly #log: RawLog;
  readonly #pool: pg.Pool;
  readonly #actions: Batcher<Parcel>;
  readonly #facts: Batcher<Parcel>;
  readonly #rows: Batcher<Parcel>;
  readonly #waiters = new Map<string, { done: () => void; failed: (reason: unknown) => void }>();

  constructor(log: RawLog, databaseUrl: string, { itemsMax, rowsMax, inFlightMax }: RawLimits) {
    this.#log = log;
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    this.#actions = new Batcher((parcels) => log.append('raw.actions', parcels), { itemsMax, inFlightMax });
    this.#facts = new Batcher((parcels) => log.append('raw.facts', parcels), { itemsMax, inFlightMax });
    this.#rows = new Batcher((parcels) => this.#commit(parcels), { itemsMax: rowsMax, inFlightMax: 1 });
  }

  async start(): Promise<void> {
    await this.#pool.query('create table if not exists raw_result (id text primary key, text text not null)');
    await this.#log.follow('raw.actions', (parcels) => this.#pass(parcels, this.#facts));
    await this.#log.follow('raw.facts', (parcels) => this.#pass(parcels, this.#rows));
  }

  /** Sends one parcel through all stages; resolves once it is committed. */
  async send(parcel: Parcel): Promise<void> {
    const committed = new Promise<void>((done, failed) => this.#waiters.set(parcel.id, { done, failed }));
    await Promise.all([this.#actions.add(parcel), committed]);
  }

  /** Stops; throws when not every parcel that was sent is in the table. */
  async stop(sent: number): Promise<void> {
    const { rows } = await this.#pool.query<{ n: number }>('select count(*)::int as n from raw_result');
    if (rows[0]?.n !== sent) throw new Error(`sent ${sent}, committed ${rows[0]?.n}`);
    await this.#log.close();
    await this.#pool.end();
  }

  #pass(parcels: readonly Parcel[], stage: Batcher<Parcel>): void {
    for (const parcel of parcels) stage.add(parcel).catch((reason) => this.#waiters.get(parcel.id)?.failed(reason));
  }

  async #commit(parcels: readonly Parcel[]): Promise<void> {
    const values = [parcels.map(({ id }) => id), parcels.map(({ text }) => text)];
    await this.#pool.query({ name: 'raw.commit', text: commitRows, values });
    for (const { id } of parcels) {
      this.#waiters.get(id)?.done();
      this.#waiters.delete(id);
    }
  }
}
