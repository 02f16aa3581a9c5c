import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReadName, readCatalogue } from '@kungfu/protocol';
import { type FactAdvance, type ProjectedPosition, PostgresProjectionStore, startOf } from '@kungfu/read-model';
import { advanceOver, contentOf, idOf } from '@kungfu/read-model/testing';
import type { Pool } from 'pg';
import { ReadDoor } from '../testing/read-door.ts';
import { ReadService } from './read-service.ts';
import { agentOf, type Person, people, recordOf, VisibleWorld } from '../testing/visible-world.ts';

const catalogue = readCatalogue();
const names = Object.keys(catalogue) as readonly ReadName[];
const numbers = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

type Path = Readonly<Record<string, string>>;
/** Something to ask: the read, what fills its path, and its query. */
type Ask = { readonly read: ReadName; readonly path: Path; readonly query: string };
type Answer = Ask & { readonly by: Person; readonly status: number; readonly headers: string; readonly text: string };

const each = (key: string, values: readonly string[], more: Path = {}): readonly Path[] =>
  values.map((value) => ({ ...more, [key]: value }));

/** Every path of every read: every object there is, and parts that there are not. */
const pathsOf = (
  story: VisibleWorld,
): { readonly [N in ReadName]: readonly (readonly [path: Path, query?: string])[] } => {
  const { threads, memories, tasks, engagements, entries, assignments } = story;
  const plain = (paths: readonly Path[]) => paths.map((path) => [path] as const);
  const page = (paths: readonly Path[]) => paths.map((path) => [path, 'limit=100'] as const);
  const thread = each('thread', Object.values(threads));
  const memory = each('memory', memories);
  const task = each('task', tasks);
  const entry = thread.flatMap((of) => each('entry', numbers(1, entries + 1), of));
  const assignment = thread.flatMap((of) => each('assignment', numbers(1, assignments + 1), of));
  const version = memory.flatMap((of) => each('version', numbers(1, 3), of));
  const contract = task.flatMap((of) => each('version', numbers(1, 4), of));
  const engagement = [
    ...engagements.map(({ task: of, id }): Path => ({ task: of, engagement: id })),
    // An engagement of another Task is none of this one.
    ...engagements.map(
      ({ id }, i): Path => ({ task: engagements[(i + 5) % engagements.length]!.task, engagement: id }),
    ),
  ];
  const list = (...queries: readonly string[]) => queries.map((query) => [{}, query] as const);
  return {
    'service.get': list(''),
    'service.well-known': list(''),
    'me.get': list(''),
    'turn.list': list('limit=100'),
    'opportunities.list': list('limit=100'),
    'waiting.list': list('limit=100'),
    'threads.list': list('limit=100', 'limit=100&status=closed'),
    'memories.list': list('limit=100', 'limit=100&mine=true', 'limit=100&mine=true&status=withdrawn'),
    'thread.get': plain(thread),
    'thread.members': page(thread),
    'thread.entries': page(thread),
    'thread.entry': plain(entry),
    'thread.entry.content': plain(entry),
    'thread.assignments': page(thread),
    'thread.assignment': plain(assignment),
    'thread.assignment.content': plain(assignment),
    'thread.assignment.payload': plain(assignment),
    'memory.get': plain(memory),
    'memory.content': plain(memory),
    'memory.versions': page(memory),
    'memory.version': plain(version),
    'memory.version.content': plain(version),
    'tasks.list': list('limit=100', 'limit=100&mine=true', 'limit=100&eligible=true'),
    'task.get': plain(task),
    'task.versions': page(task),
    'task.version': plain(contract),
    'task.version.content': plain(contract),
    'task.engagements': page(task),
    'task.engagement': plain(engagement),
    'task.engagement.payload': plain(engagement),
    'receipt.get': people.map((person) => [{ key: person }, 'action=thread.post'] as const),
    'agents.list': list(''),
    'agent.get': plain(each('agent', people.map(agentOf))),
  };
};

const urlOf = ({ read, path, query }: Ask): string =>
  catalogue[read].path.replace(/\{([a-z]+)\}/g, (_, key: string) => path[key]!) + (query === '' ? '' : `?${query}`);
const keyOf = (read: ReadName, path: Path): string => urlOf({ read, path, query: '' });

let door: ReadDoor;
let story: VisibleWorld;
let store: PostgresProjectionStore;
let answers: readonly Answer[];

const positions = new Map<string, ProjectedPosition>();
/** Projects what has been recorded since the last time. */
const project = async (): Promise<void> => {
  const batch = story.world.records().map((records): FactAdvance => {
    const { topic, partition } = records[0]!;
    const from = positions.get(`${topic}/${partition}`) ?? startOf(records[0]!);
    const advance = advanceOver(from, records.slice(from.next));
    positions.set(`${topic}/${partition}`, advance.to);
    return advance;
  });
  await store.load(batch.map(({ to }) => to));
  expect(await store.apply(batch)).toMatchObject({ stale: [], unfoldable: [] });
};

const ask = async (by: Person, one: Ask): Promise<Answer> => {
  const { status, headers, text } = await door.get(agentOf(by), urlOf(one));
  const kept = [...headers].filter(([name]) => !['date', 'content-length'].includes(name));
  return { ...one, by, status, headers: JSON.stringify(kept), text };
};

const asksOf = (read: ReadName): readonly Ask[] =>
  pathsOf(story)[read].map(([path, query = '']) => ({ read, path, query }));

/** Everyone asks everything, four at a time. */
const askAll = async (asks: readonly Ask[], persons: readonly Person[] = people): Promise<readonly Answer[]> => {
  const waiting = persons.flatMap((by) => asks.map((one) => [by, one] as const));
  const found: Answer[] = [];
  const take = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) found.push(await ask(...next));
  };
  await Promise.all([take(), take(), take(), take()]);
  return found;
};

beforeAll(async () => {
  door = await ReadDoor.open();
  story = new VisibleWorld();
  store = new PostgresProjectionStore(door.world.pool);
  await project();
  for (let number = 1; number <= story.contents; number++)
    await door.world.insert('content', { id: contentOf(number).id, value: Buffer.from(recordOf(number)) });
  for (const person of people) {
    // One of its own, and one of another agent’s that stands where its own would.
    const receipt = { fingerprint: 'x', action: 'thread.post', at: new Date(0) };
    const own = person !== 'tom';
    await door.world.insert('receipt', {
      ...receipt,
      binding: `${agentOf(person)}|thread.post|${person}`,
      agent: agentOf(own ? person : 'ada'),
      receipt: Buffer.from(`{"of":"receipt-of-${person}"}`),
    });
  }
  answers = await askAll(names.flatMap(asksOf));
}, 120_000);
afterAll(async () => {
  await door.close();
  await stopTestDatabases();
});

const found = (all = answers): readonly Answer[] => all.filter(({ status }) => status === 200);

type Table = Pick<VisibleWorld, 'secrets' | 'places'>;
/** For each word and each place, of one rule or of all: who has seen it, by any read at all. */
const seenBy = (all: readonly Answer[], { secrets, places }: Table, rule?: string) => {
  const got = new Set(found(all).map(({ by, read, path }) => `${by} ${keyOf(read, path)}`));
  return [
    ...secrets.map((secret) => {
      const seen = new Set(found(all).flatMap(({ by, text }) => (text.includes(secret.word) ? [by] : [])));
      return { ...secret, seen: people.filter((person) => seen.has(person)) };
    }),
    ...places.map((place) => {
      const what = keyOf(place.read, place.path);
      return { ...place, what, seen: people.filter((person) => got.has(`${person} ${what}`)) };
    }),
  ].filter((one) => rule === undefined || one.rule === rule);
};
/** Whoever asked has seen what the table says, neither less nor more. */
const expectTable = (all: readonly Answer[], table: Table, rule?: string): void => {
  const asking = new Set(all.map(({ by }) => by));
  const is = seenBy(all, table, rule);
  const expected = is.map(({ what, readers }) => ({
    what,
    seen: people.filter((person) => asking.has(person) && readers.includes(person)),
  }));
  expect(is.length).toBeGreaterThan(0);
  expect(is.map(({ what, seen }) => ({ what, seen }))).toEqual(expected);
};
const expectRule = (rule: string): void => expectTable(answers, story, rule);

describe('who reads what, asked of every read by everyone', () => {
  it('asks every read of the catalogue, and each is answered to somebody, but what stands at another door', () => {
    const answered = new Set(found().map(({ read }) => read));
    expect(names.filter((read) => !answered.has(read))).toEqual(['agents.list', 'agent.get']);
    expect(new Set(answers.map(({ read }) => read)).size).toBe(names.length);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
  });

  it('[V-1] [M-6] the current version of a valid public Memory is for anyone', () => expectRule('V-1'));
  it('[V-2] [M-6] [M-7] any version of a Memory is for its author', () => expectRule('V-2'));
  it('[V-3] [V-13] threads, open and closed, with all that stands in them, are for current members', () =>
    expectRule('V-3'));
  it('[V-4] [M-8] [M-9] pinned versions are for members: own pins always, another’s while valid and public', () =>
    expectRule('V-4'));
  it('[V-5] [V-13] Memories that an assignment delivered are for current members', () => expectRule('V-5'));
  it('[V-6] [T-31] notes are for the author of the entry and the responder, each while a member', () =>
    expectRule('V-6'));
  it('[V-7] [K-5] every version of the contract of an open Task is for anyone', () => expectRule('V-7'));
  it('[V-8] [V-7] [K-6] that of a restricted one for author, named agents and judge; the version it binds for a former judge', () =>
    expectRule('V-8'));
  it('[V-9] [K-8] the inputs that an engagement binds are for its agent and its judge, after its end too', () =>
    expectRule('V-9'));
  it('[V-10] engagements, deliveries and judgments are for author, engaged agent and judge', () => expectRule('V-10'));
  it('[V-11] [K-5] adopted deliveries are for whom the bound version declares', () => expectRule('V-11'));
  it('[V-16] [M-8] Memories that an engagement delivered are for the readers of the delivery, withdrawn too', () =>
    expectRule('V-16'));

  it('[V-4] [M-9] a pin that may not be read is shown as such, with nothing of it', () => {
    const pins = found().filter(({ read, text }) => read === 'thread.entry' && text.includes('"readable":false'));
    // One unpublished and one withdrawn, by each of the five members, the author of the Memories too: its right is its own.
    expect(pins).toHaveLength(10);
    for (const { text } of pins) expect(text).not.toMatch(/word-/);
    for (const { text } of pins) expect(JSON.parse(text)).toMatchObject({ content: null, readable: false });
  });

  it('[V-10] [C-3] who may not know an engagement is told neither it nor how many there are', () => {
    for (const { id, readers } of story.engagements) {
      const seen = new Set(found().flatMap(({ by, text }) => (text.includes(id) ? [by] : [])));
      expect([...seen].sort()).toEqual([...readers].sort());
    }
    const of = (pattern: RegExp) => new Set(found().flatMap(({ by, text }) => (pattern.test(text) ? [by] : [])));
    expect(of(/"(adoptions|named)":/)).toEqual(new Set(['ada']));
    // Engagements have numbers, which would tell; only those of parts of threads are shown.
    expect(found().filter(({ read, text }) => read.startsWith('task') && /"number":/.test(text))).toEqual([]);
  });

  it('[K-16] [C-2] a reference to a Task is shown with the entry, and gives nobody more of the Task than its own right', () => {
    const task = story.tasks[2]!;
    const of = (read: ReadName, pattern: string) =>
      people.filter((by) => found().some((one) => one.by === by && one.read === read && one.text.includes(pattern)));
    for (const read of ['thread.entry', 'thread.entries'] as const)
      expect(of(read, `"task":"${task}"`)).toEqual(['ada', 'oda', 'bob', 'cyd', 'pia']);
    const readers = ['ada', 'oda', 'bob', 'max', 'fay', 'gil', 'ivy', 'jon', 'ned'];
    expect(of('task.get', task)).toEqual(readers);
    // Nobody but its readers and those members has ever heard of it.
    const heard = people.filter((by) => found().some((one) => one.by === by && one.text.includes(task)));
    expect(heard).toEqual(people.filter((by) => [...readers, 'cyd', 'pia'].includes(by)));
  });

  it('[V-12] receipts are for the agent that acted', () => {
    for (const { by, text, status, path } of answers.filter(({ read }) => read === 'receipt.get')) {
      const own = path['key'] === by && by !== 'tom';
      expect([by, path, status]).toEqual([by, path, own ? 200 : 404]);
      expect(text.includes('receipt-of')).toBe(own);
    }
  });

  it('[V-14] [C-3] knowing an identifier grants nothing: nothing answers but what stands in the table', () => {
    const key = ({ by, read, path }: { by: Person; read: ReadName; path: Path }) => `${by} ${keyOf(read, path)}`;
    const expected = new Set(story.places.flatMap((place) => place.readers.map((by) => key({ ...place, by }))));
    const listed: readonly ReadName[] = names.filter(
      (read) => !catalogue[read].path.includes('{') || read === 'receipt.get',
    );
    const got = new Set(
      found()
        .filter(({ read }) => !listed.includes(read))
        .map(key),
    );
    expect([...got].filter((one) => !expected.has(one))).toEqual([]);
    expect([...expected].filter((one) => !got.has(one))).toEqual([]);
  });

  it('[V-14] [C-3] what may not be read answers like what does not exist: same status, same bytes but the id', async () => {
    const nowhere = {
      thread: idOf('thread', 999),
      memory: idOf('memory', 999),
      task: idOf('task', 999),
      agent: idOf('agent', 999),
    };
    const missing: Path = {
      ...nowhere,
      engagement: idOf('engagement', 999),
      entry: '999',
      assignment: '999',
      version: '999',
      key: 'nobody',
    };
    const plain = ({ status, text, headers, path, read }: Answer): string =>
      [String(status), headers, text.replaceAll(keyOf(read, path), '…')].join('\n');
    for (const read of names) {
      const refused = answers.filter((answer) => answer.read === read && answer.status !== 200);
      if (refused.length === 0) continue;
      const none = await ask('tom', { read, path: missing, query: refused[0]!.query });
      expect(none.status).toBe(404);
      expect([...new Set(refused.map(plain))]).toEqual([plain(none)]);
    }
  });
});

/** Every column that gives somebody a right to read; a mark before its value takes the right away. */
const rights = {
  membership: ['agent'],
  memory: ['author', 'visibility'],
  task: ['author', 'audience'],
  task_audience: ['agent'],
  contract: ['judge', 'adopted_readers'],
  engagement: ['agent', 'author', 'judge'],
  receipt: ['agent'],
  obligation: ['holder', 'from_agent'],
  opportunity: ['agent'],
} as const;
/** One transaction that changes every right, and every word. */
const change = (right: (column: string) => string, from: string, to: string): string =>
  [
    ...Object.entries(rights).map(
      ([table, columns]) => `update read.${table} set ${columns.map((one) => `${one} = ${right(one)}`).join(', ')}`,
    ),
    `update read.content set value = convert_to(replace(convert_from(value, 'UTF8'), '${from}', '${to}'), 'UTF8')`,
  ].join(';');
const revoke = change((column) => `'~' || ${column}`, 'word-', 'newer-');
const restore = change((column) => `substr(${column}, 2)`, 'newer-', 'word-');

/** The pool, but before its statement of this number (from 0), whoever runs it, something else is done and committed. */
class Interrupted {
  readonly #pool: Pool;
  readonly #at: number;
  readonly #doing: () => Promise<unknown>;
  #statements = 0;

  constructor(pool: Pool, at: number, doing: () => Promise<unknown>) {
    this.#pool = pool;
    this.#at = at;
    this.#doing = doing;
  }
  get happened(): boolean {
    return this.#statements > this.#at;
  }
  async query(...given: Parameters<Pool['query']>): Promise<unknown> {
    await this.#next();
    return this.#pool.query(...given);
  }
  async connect(): Promise<object> {
    const client = await this.#pool.connect();
    return {
      query: async (...given: Parameters<Pool['query']>): Promise<unknown> => {
        await this.#next();
        return client.query(...given);
      },
      release: (broken: boolean) => client.release(broken),
    };
  }
  async #next(): Promise<void> {
    if (this.#statements++ === this.#at) await this.#doing();
  }
}

describe('a right that ends while it is used', () => {
  /** The answer of each read that says most, with who got it. */
  const richest = (read: ReadName): Answer | undefined =>
    found()
      .filter((answer) => answer.read === read)
      .sort((one, other) => other.text.length - one.text.length)[0];
  const answerOf = async ({ by, read, path, query: text }: Answer, pool: Pool): Promise<string> => {
    const reads = new ReadService({ ...door.context, pool });
    const given = catalogue[read].query.parse(Object.fromEntries(new URLSearchParams(text)));
    const signal = new AbortController().signal;
    const answer = await reads.answer({ agent: agentOf(by), read, path, query: given as Path, signal });
    return answer.kind === 'bytes' ? Buffer.from(answer.body).toString() : JSON.stringify(answer);
  };

  it.each(names.filter((read) => catalogue[read].door === 'agents'))(
    '[V-15] %s: no answer has newer content than the right to it, between whichever statements everything changes',
    async (read) => {
      const answer = richest(read)!;
      const { pool } = door.world;
      const before = await answerOf(answer, pool);
      for (let at = 0; ; at++) {
        const interrupted = new Interrupted(pool, at, () => pool.query(revoke));
        const after = await answerOf(answer, interrupted as unknown as Pool);
        if (!interrupted.happened) break;
        await pool.query(restore);
        expect(after).not.toMatch(/newer-/);
        // All as it was, or nothing at all.
        if (after !== before)
          expect({ at, after }).toEqual({ at, after: expect.not.stringMatching(/word-|receipt-of/) });
      }
      expect(await answerOf(answer, pool)).toBe(before);
    },
  );

  it('[V-13] [T-15] with the membership all of the thread is gone at once; one’s own Memories stay', async () => {
    const thread = story.threads.open;
    story.act('thread', thread, 'bob', { type: 'thread.leave' });
    await project();
    const after = await askAll(names.flatMap(asksOf), ['bob', 'ada']);
    expect(found(after).filter(({ by, text }) => by === 'bob' && text.includes(thread))).toEqual([]);
    // What is Bob’s own, public, or his by a Task is as it was.
    expectTable(after, new VisibleWorld(['bob']));
  });
});
