import type { ReadName } from '@kungfu/protocol';
import { contentOf, hashOf as hashNumber, idOf, World, type WorldKind } from '@kungfu/read-model/testing';
import { hashOf } from '../auth/bearer.ts';

/** Everyone there is, and what they have come to when the story ends. */
export const cast = {
  ada: 'governor; author of most things',
  oda: 'second governor; named by the restricted Task, never engaged',
  bob: 'speaker; engaged agent',
  cyd: 'observer of the open thread; left the closed one',
  pia: 'speaker; left and came back',
  dan: 'left the open thread',
  eve: 'was removed from it',
  max: 'member, named and engaged, then deactivated',
  fay: 'judge',
  gil: 'judged an engagement under an earlier version',
  hal: 'was to judge under an earlier version that bound nobody',
  ivy: 'named, has the label; an engagement of hers timed out',
  jon: 'named, has no label; an engagement of his was rejected',
  ned: 'engaged; an engagement of his was rejected',
  kim: 'stranger with the label; dropped an engagement',
  lee: 'stranger without the label; an engagement of his ended undecided',
  tom: 'stranger without anything',
} as const;
export type Person = keyof typeof cast;
export const people = Object.keys(cast) as readonly Person[];
export const agentOf = (person: Person) => idOf('agent', people.indexOf(person) + 1);
const labelled: readonly Person[] = ['bob', 'ivy', 'kim', 'ned', 'max'];
const labelsOf = (person: Person): readonly string[] => (labelled.includes(person) ? ['x'] : []);

/** A word that somebody wrote, and who finds it anywhere. */
export type Secret = {
  readonly rule: string;
  readonly what: string;
  readonly word: string;
  readonly readers: readonly Person[];
};
/** Something that can be asked for, and who gets an answer. */
export type Place = {
  readonly rule: string;
  readonly read: ReadName;
  readonly path: Readonly<Record<string, string>>;
  readonly readers: readonly Person[];
};

const long = 1_000_000;
/** In the closed one. */
const remaining: readonly Person[] = ['ada', 'bob'];
const named: readonly Person[] = ['oda', 'bob', 'max', 'ivy', 'jon', 'ned'];
const union = (...all: readonly (readonly Person[])[]): readonly Person[] => [...new Set(all.flat())];
type Contract = Readonly<Record<string, unknown>>;
type Pin = { readonly id: string; readonly version: number };

/**
 * A story by the real deciders in which everything there is to read stands in every state, and beside each thing who reads
 * it: a plain table, written from the rules and not from the statements that are tested.
 */
export class VisibleWorld {
  readonly world = new World(2);
  readonly secrets: Secret[] = [];
  readonly places: Place[] = [];
  readonly threads = { open: idOf('thread', 1), closed: idOf('thread', 2) } as const;
  readonly memories: string[] = [];
  readonly tasks: string[] = [];
  /** Engagements with the Task of each, and who may know that there is one. */
  readonly engagements: { readonly task: string; readonly id: string; readonly readers: readonly Person[] }[] = [];
  /** In the open thread at the end. */
  readonly #members: readonly Person[];
  #entries = 0;
  #assignments = 0;

  /** With the table as it is once those have left the open thread too. */
  constructor(leavers: readonly Person[] = []) {
    this.#members = (['ada', 'oda', 'bob', 'cyd', 'pia'] as const).filter((member) => !leavers.includes(member));
    this.#accounts();
    this.#memoriesAlone();
    this.#openThread();
    this.#closedThread();
    this.#openTask();
    this.#shortTask();
    this.#restrictedTask();
    this.#adoptions();
    this.#deactivation();
  }

  /** How many contents there are. */
  get contents(): number {
    return this.secrets.length;
  }
  get entries(): number {
    return this.#entries;
  }
  get assignments(): number {
    return this.#assignments;
  }

  /** An action that has to be accepted. */
  act(kind: WorldKind, object: string, by: Person | 'administration', payload: Readonly<Record<string, unknown>>) {
    const agent = by === 'administration' ? by : agentOf(by);
    const fact = this.world.act(kind, object, agent, payload as { type: string });
    if (fact === undefined) throw new Error(`${by} was refused ${JSON.stringify(payload)}`);
    return fact;
  }

  /** Words of their own, with who reads them. */
  #word(rule: string, what: string, readers: readonly Person[]) {
    const number = this.secrets.length + 1;
    this.secrets.push({ rule, what, word: wordOf(number), readers });
    return contentOf(number);
  }
  #place(rule: string, reads: readonly ReadName[], path: Place['path'], readers: readonly Person[]): void {
    for (const read of reads) this.places.push({ rule, read, path, readers });
  }

  #accounts(): void {
    for (const [i, person] of people.entries())
      this.act('agent', agentOf(person), 'administration', {
        type: 'agent.create',
        labels: labelsOf(person),
        key: idOf('key', i + 1),
        hash: hashOf(`secret-of-${agentOf(person)}`),
      });
  }

  // Memories.

  /** A Memory, with who may know it; its versions are said one by one. */
  #memory(rule: string, readers: readonly Person[]): string {
    const memory = idOf('memory', this.memories.length + 1);
    this.memories.push(memory);
    this.#place(rule, ['memory.get', 'memory.content', 'memory.versions'], { memory }, readers);
    return memory;
  }
  #version(memory: string, version: number, rule: string, what: string, readers: readonly Person[]) {
    this.#place(rule, ['memory.version', 'memory.version.content'], { memory, version: String(version) }, readers);
    return this.#word(rule, what, readers);
  }
  /** Of an author, private at first; `readers`, besides its author, of version 1. */
  #own(author: Person, rule: string, what: string, readers: readonly Person[] = []): Pin {
    const id = this.#memory('V-2', [author]);
    this.#create(id, author, rule, what, union([author], readers));
    return { id, version: 1 };
  }
  #create(memory: string, author: Person, rule: string, what: string, readers: readonly Person[]): void {
    this.act('memory', memory, author, {
      type: 'memory.create',
      content: this.#version(memory, 1, rule, what, readers),
    });
  }
  #do(author: Person, memory: string, ...doings: readonly ('publish' | 'unpublish' | 'withdraw')[]): void {
    for (const doing of doings) this.act('memory', memory, author, { type: `memory.${doing}` });
  }
  #update(author: Person, memory: string, rule: string, what: string, readers: readonly Person[]): void {
    this.act('memory', memory, author, {
      type: 'memory.update',
      content: this.#version(memory, 2, rule, what, readers),
    });
  }

  #memoriesAlone(): void {
    this.#own('ada', 'V-2', 'a private Memory');
    const of = (rule: string, what: string, readers: readonly Person[], known = readers): string => {
      const memory = this.#memory(rule, known);
      this.#create(memory, 'ada', rule, what, readers);
      return memory;
    };
    this.#do('ada', of('V-1', 'a public Memory', people), 'publish');
    const updated = of('V-2', 'an earlier version of a public Memory', ['ada'], people);
    this.#do('ada', updated, 'publish');
    this.#update('ada', updated, 'V-1', 'the current version of an updated public Memory', people);
    const later = of('V-2', 'an earlier version of a private Memory', ['ada']);
    this.#update('ada', later, 'V-2', 'the current version of a private Memory', ['ada']);
    this.#do('ada', of('V-2', 'an unpublished Memory', ['ada']), 'publish', 'unpublish');
    this.#do('ada', of('V-2', 'a Memory withdrawn while public', ['ada']), 'publish', 'withdraw');
    this.#do('ada', of('V-2', 'a Memory withdrawn while private', ['ada']), 'withdraw');
    this.#do('dan', this.#own('dan', 'V-13', 'a Memory of a former member').id, 'publish', 'unpublish');
  }

  // Threads.

  #post(thread: string, by: Person, memory: object, more: object = {}): number {
    const fact = this.act('thread', thread, by, { type: 'thread.post', memory, ask: [], ...more });
    const { entry } = fact.effects.find((effect) => effect.type === 'entry.posted')!;
    const readers = this.#readersOf(thread);
    this.#place('V-3', ['thread.entry', 'thread.entry.content'], { thread, entry: String(entry) }, readers);
    this.#entries = Math.max(this.#entries, entry);
    return entry;
  }
  /** With a Memory born in the entry, which its author and the members read. */
  #postWords(thread: string, by: Person, what: string, more: object = {}): number {
    const id = this.#memory('V-2', [by]);
    const readers = this.#readersOf(thread);
    const content = this.#version(id, 1, 'V-4', what, union([by], readers));
    return this.#post(thread, by, { kind: 'born', id, content }, more);
  }
  #postPin(thread: string, by: Person, pin: Pin): number {
    return this.#post(thread, by, { kind: 'reference', pin });
  }
  #readersOf(thread: string): readonly Person[] {
    return thread === this.threads.open ? this.#members : remaining;
  }
  #structureOf(thread: string, readers: readonly Person[]): void {
    this.#place('V-3', ['thread.get', 'thread.members', 'thread.entries', 'thread.assignments'], { thread }, readers);
  }

  #openThread(): void {
    const thread = this.threads.open;
    const act = (by: Person, payload: Readonly<Record<string, unknown>>) => this.act('thread', thread, by, payload);
    this.#structureOf(thread, this.#members);
    act('ada', {
      type: 'thread.create',
      content: this.#word('V-3', 'the title of an open thread', this.#members),
      grant: { role: 'governor', hash: hashNumber(1) },
    });
    act('oda', { type: 'thread.join', hash: hashNumber(1) });
    act('ada', { type: 'thread.grant', role: 'observer', hash: hashNumber(2) });
    act('cyd', { type: 'thread.join', hash: hashNumber(2) });
    act('ada', { type: 'thread.grant', role: 'speaker', hash: hashNumber(3) });
    for (const person of ['bob', 'pia', 'dan', 'eve', 'max'] as const)
      act(person, { type: 'thread.join', hash: hashNumber(3) });
    this.#notes(thread);
    this.#entriesOf(thread);
    this.#assignmentsOf(thread);
    act('dan', { type: 'thread.leave' });
    act('ada', { type: 'thread.remove', member: agentOf('eve') });
    act('pia', { type: 'thread.leave' });
    act('pia', { type: 'thread.join', hash: hashNumber(3) });
  }

  #notes(thread: string): void {
    const asking = (...ask: readonly Person[]) => ({ ask: ask.map(agentOf) });
    const handle = (by: Person, entry: number, what: string, readers: readonly Person[]) =>
      this.act('thread', thread, by, {
        type: 'thread.handle',
        entry,
        note: this.#word(
          'V-6',
          what,
          readers.filter((reader) => this.#members.includes(reader)),
        ),
      });
    const hers = this.#postWords(thread, 'ada', 'an entry that asks', asking('bob', 'pia', 'dan', 'max'));
    handle('bob', hers, 'a note of a member to a member', ['ada', 'bob']);
    handle('pia', hers, 'a note of a member that came back', ['ada', 'pia']);
    handle('dan', hers, 'a note of a former member', ['ada']);
    handle('max', hers, 'a note of a deactivated member', ['ada']);
    const his = this.#postWords(thread, 'dan', 'an entry of a former member', asking('bob'));
    handle('bob', his, 'a note to a former member', ['bob']);
    this.#postWords(thread, 'eve', 'an entry of a removed member');
    this.#postWords(thread, 'max', 'an entry of a deactivated member');
    this.#postWords(thread, 'bob', 'an entry that still asks', asking('ada', 'pia'));
  }

  #entriesOf(thread: string): void {
    const own = (what: string): Pin => this.#own('ada', 'V-4', what, this.#members);
    const updated = own('a pinned version of one’s own, updated since');
    this.#postPin(thread, 'ada', updated);
    this.#update('ada', updated.id, 'V-2', 'the version after a pinned one', ['ada']);
    const withdrawn = own('a pinned version of one’s own, withdrawn since');
    this.#postPin(thread, 'ada', withdrawn);
    this.#do('ada', withdrawn.id, 'withdraw');

    const others = (what: string, rule: string, known: readonly Person[], readers: readonly Person[]): Pin => {
      const id = this.#memory(rule, known);
      this.#create(id, 'cyd', rule, what, readers);
      this.#do('cyd', id, 'publish');
      this.#postPin(thread, 'ada', { id, version: 1 });
      return { id, version: 1 };
    };
    others('a pinned public Memory of another', 'V-1', people, people);
    const newer = others('an earlier version of a public Memory of another, pinned', 'V-4', people, this.#members);
    this.#update('cyd', newer.id, 'V-1', 'the version after a pinned public one', people);
    const hidden = others('a pinned Memory of another, unpublished since', 'V-2', ['cyd'], ['cyd']);
    this.#do('cyd', hidden.id, 'unpublish');
    const gone = others('a pinned Memory of another, withdrawn since', 'V-2', ['cyd'], ['cyd']);
    this.#do('cyd', gone.id, 'withdraw');

    const born = this.#memory('V-1', people);
    const content = this.#version(
      born,
      1,
      'V-4',
      'a Memory born in an entry, published and updated since',
      union(['bob'], this.#members),
    );
    const entry = this.#post(thread, 'bob', { kind: 'born', id: born, content });
    const genesis = { author: agentOf('bob'), content, thread, entry };
    this.act('memory', born, 'bob', { type: 'memory.publish', genesis });
    this.#update('bob', born, 'V-1', 'the current version of a public Memory that was born in an entry', people);
  }

  #assign(thread: string, to: Person, state: string, deliverySeconds = long, judgmentSeconds = long): string {
    const readers = this.#readersOf(thread);
    const assign = {
      to: agentOf(to),
      content: this.#word('V-3', `what an assignment wants that is ${state}`, readers),
      structured: false,
      deliverySeconds,
      judgmentSeconds,
    };
    this.#postWords(thread, 'ada', `the entry of an assignment that is ${state}`, { assign });
    const assignment = String(++this.#assignments);
    this.#place('V-3', ['thread.assignment', 'thread.assignment.content'], { thread, assignment }, readers);
    return assignment;
  }
  #deliver(thread: string, by: Person, assignment: string, state: string, memories: readonly Pin[] = []): void {
    const readers = this.#readersOf(thread);
    this.#place('V-3', ['thread.assignment.payload'], { thread, assignment }, readers);
    const content = this.#word('V-3', `the payload of an assignment that is ${state}`, readers);
    const delivery = { content, memories };
    this.act('thread', thread, by, { type: 'assignment.take', assignment: Number(assignment), delivery });
  }

  #assignmentsOf(thread: string): void {
    const on = (by: Person, type: string, assignment: string, more: object = {}) =>
      this.act('thread', thread, by, { type: `assignment.${type}`, assignment: Number(assignment), ...more });
    const done = (state: string, memories: readonly Pin[] = [], judgmentSeconds = long): string => {
      const assignment = this.#assign(thread, 'bob', state, long, judgmentSeconds);
      this.#deliver(thread, 'bob', assignment, state, memories);
      return assignment;
    };
    this.#assign(thread, 'bob', 'untaken');
    on('bob', 'take', this.#assign(thread, 'bob', 'taken'));
    const pinned = this.#own(
      'bob',
      'V-5',
      'a Memory that an assignment delivered, updated and withdrawn since',
      this.#members,
    );
    const private_ = this.#own('bob', 'V-5', 'a private Memory that an assignment delivered', this.#members);
    done('delivered', [pinned, private_]);
    this.#update('bob', pinned.id, 'V-2', 'the version after a delivered one', ['bob']);
    this.#do('bob', pinned.id, 'withdraw');
    on('ada', 'adopt', done('adopted'));
    const rejected = done('rejected');
    on('ada', 'reject', rejected, { content: this.#word('V-3', 'why an assignment was rejected', this.#members) });
    const dropped = this.#assign(thread, 'bob', 'dropped');
    on('bob', 'take', dropped);
    on('bob', 'drop', dropped);
    on('ada', 'void', this.#assign(thread, 'bob', 'voided'));
    done('undecided', [], 5);
    on('bob', 'take', this.#assign(thread, 'bob', 'timed out', 5));
    this.world.pass(60_000);
    this.world.fire('thread', thread);
    const former = this.#own('eve', 'V-5', 'a Memory that a former member delivered', this.#members);
    this.#deliver(thread, 'eve', this.#assign(thread, 'eve', 'a former member’s'), 'a former member’s', [former]);
  }

  #closedThread(): void {
    const thread = this.threads.closed;
    const act = (by: Person, payload: Readonly<Record<string, unknown>>) => this.act('thread', thread, by, payload);
    this.#structureOf(thread, remaining);
    const content = this.#word('V-3', 'the title of a closed thread', remaining);
    act('ada', { type: 'thread.create', content, grant: { role: 'speaker', hash: hashNumber(11) } });
    for (const person of ['bob', 'cyd'] as const) act(person, { type: 'thread.join', hash: hashNumber(11) });
    const ask = [agentOf('bob')];
    const entry = this.#postWords(thread, 'cyd', 'an entry in a closed thread, of a former member', { ask });
    const note = this.#word('V-6', 'a note in a closed thread, to a former member', ['bob']);
    act('bob', { type: 'thread.handle', entry, note });
    const pinned = this.#own('bob', 'V-5', 'a Memory that was delivered in a closed thread', remaining);
    const open = this.#assignments;
    this.#assignments = 0;
    this.#deliver(thread, 'bob', this.#assign(thread, 'bob', 'delivered and closed'), 'delivered and closed', [pinned]);
    this.#assignments = open;
    act('ada', { type: 'thread.close' });
    act('cyd', { type: 'thread.leave' });
  }

  // Tasks.

  #contract(judge: Person, more: Contract = {}): Contract {
    return {
      structured: false,
      requiredInputs: [],
      informative: [],
      deliverySeconds: long,
      judgmentSeconds: long,
      withoutJudgment: 'undecided',
      judge: agentOf(judge),
      eligibility: [],
      adoptedReaders: 'parties',
      ...more,
    };
  }
  #words(task: string, version: number, rule: string, what: string, readers: readonly Person[]) {
    this.#place(rule, ['task.version', 'task.version.content'], { task, version: String(version) }, readers);
    return this.#word(rule, what, readers);
  }
  /** A Task of Ada's; who may know it. */
  #task(rule: string, readers: readonly Person[]): string {
    const task = idOf('task', this.tasks.length + 1);
    this.tasks.push(task);
    this.#place(rule, ['task.get', 'task.versions', 'task.engagements'], { task }, readers);
    return task;
  }
  #offer(what: string, contract: Contract): string {
    const task = this.#task('V-7', people);
    const content = this.#words(task, 1, 'V-7', what, people);
    this.act('task', task, 'ada', { type: 'task.create', audience: { kind: 'open' }, content, ...contract });
    return task;
  }
  #revise(
    task: string,
    version: number,
    rule: string,
    what: string,
    readers: readonly Person[],
    contract: Contract,
  ): void {
    const content = this.#words(task, version, rule, what, readers);
    this.act('task', task, 'ada', { type: 'task.revise', content, ...contract });
  }
  /** An engagement that those may know; with a delivery, if there is one. */
  #engage(
    task: string,
    by: Person,
    rule: string,
    readers: readonly Person[],
    what?: string,
    memories: readonly Pin[] = [],
  ): string {
    const engagement = idOf('engagement', this.engagements.length + 1);
    this.engagements.push({ task, id: engagement, readers });
    this.#place(rule, ['task.engagement'], { task, engagement }, readers);
    if (what !== undefined) this.#place(rule, ['task.engagement.payload'], { task, engagement }, readers);
    const delivery = what === undefined ? {} : { delivery: { content: this.#word(rule, what, readers), memories } };
    const labels = labelsOf(by);
    this.act('task', task, by, {
      type: 'task.take',
      engagement,
      labels,
      ...(what === undefined ? {} : { version: this.#current(task) }),
      ...delivery,
    });
    return engagement;
  }
  #current(task: string): number {
    return this.places.filter(({ read, path }) => read === 'task.version' && path['task'] === task).length;
  }

  #openTask(): void {
    const input = this.#own('ada', 'V-9', 'an input that engagements bind', ['bob', 'ned', 'kim', 'max', 'fay']);
    const unbound = this.#own('ada', 'V-9', 'an input that no engagement binds');
    const informative = this.#own('ada', 'V-9', 'other material of a contract, private');
    const task = this.#offer(
      'an open Task',
      this.#contract('fay', { requiredInputs: [input], informative: [informative] }),
    );
    this.#engage(task, 'bob', 'V-10', ['ada', 'bob', 'fay']);
    const kept = this.#own('ned', 'V-16', 'a Memory that was delivered, not judged', ['ada', 'fay']);
    this.#engage(task, 'ned', 'V-10', ['ada', 'ned', 'fay'], 'a delivery that waits for its judge', [kept]);
    const engagement = this.#engage(task, 'kim', 'V-10', ['ada', 'kim', 'fay']);
    this.act('task', task, 'kim', { type: 'engagement.drop', engagement });
    this.#engage(task, 'max', 'V-10', ['ada', 'max', 'fay'], 'a delivery of an agent that was deactivated since');
    this.#revise(task, 2, 'V-7', 'an open Task, revised', people, this.#contract('ada', { requiredInputs: [unbound] }));
  }

  #shortTask(): void {
    const task = this.#offer(
      'an open Task of short deadlines',
      this.#contract('fay', { deliverySeconds: 5, judgmentSeconds: 5 }),
    );
    const engagement = this.#engage(task, 'jon', 'V-10', ['ada', 'jon', 'fay'], 'a rejected delivery');
    const content = this.#word('V-10', 'why a delivery was rejected', ['ada', 'jon', 'fay']);
    this.act('task', task, 'fay', { type: 'engagement.reject', engagement, content });
    this.#engage(task, 'ivy', 'V-10', ['ada', 'ivy', 'fay']);
    this.#engage(task, 'lee', 'V-10', ['ada', 'lee', 'fay'], 'a delivery that nobody judged in time');
    this.world.pass(60_000);
    this.world.fire('task', task);
  }

  #restrictedTask(): void {
    const readers = union(['ada', 'fay'], named);
    const first = this.#own('ada', 'V-9', 'an input bound under an earlier version', ['bob', 'gil']);
    const third = this.#own('ada', 'V-9', 'an input bound under the version of now', ['ned', 'fay']);
    const task = this.#task('V-8', union(readers, ['gil']));
    const content = this.#words(task, 1, 'V-8', 'a restricted Task, by a version that binds', union(readers, ['gil']));
    const audience = { kind: 'restricted', agents: named.map(agentOf) };
    this.act('task', task, 'ada', {
      type: 'task.create',
      audience,
      content,
      ...this.#contract('gil', { requiredInputs: [first] }),
    });
    const kept = this.#own('bob', 'V-16', 'a Memory delivered for a restricted Task', ['ada', 'gil']);
    this.#engage(task, 'bob', 'V-10', ['ada', 'bob', 'gil'], 'a delivery under an earlier version', [kept]);
    this.#revise(task, 2, 'V-8', 'a restricted Task, by a version that binds nobody', readers, this.#contract('hal'));
    this.#revise(
      task,
      3,
      'V-8',
      'a restricted Task, by the version of now',
      readers,
      this.#contract('fay', { requiredInputs: [third] }),
    );
    const engagement = this.#engage(task, 'ned', 'V-10', ['ada', 'ned', 'fay'], 'a delivery under the version of now');
    const reason = this.#word('V-10', 'why a delivery for a restricted Task was rejected', ['ada', 'ned', 'fay']);
    this.act('task', task, 'fay', { type: 'engagement.reject', engagement, content: reason });
    this.act('task', task, 'ada', { type: 'task.pause' });
    this.#postTask(task);
  }

  /** A reference to it gives members nothing but the reference (K-16, C-2). */
  #postTask(task: string): void {
    this.#postWords(this.threads.open, 'ada', 'an entry that refers to a restricted Task', { task });
  }

  #adopted(task: string, others: readonly Person[], declared: string): void {
    const readers = union(['ada', 'bob', 'fay'], others);
    const kept = this.#own('bob', 'V-16', `a Memory adopted for ${declared}, withdrawn since`, readers);
    const engagement = this.#engage(task, 'bob', 'V-11', readers, `a delivery adopted for ${declared}`, [kept]);
    this.act('task', task, 'fay', { type: 'engagement.adopt', engagement });
    this.#do('bob', kept.id, 'withdraw');
  }

  #adoptions(): void {
    for (const [adoptedReaders, others, later] of [
      ['parties', [], 'anyone'],
      ['audience', labelled, 'anyone'],
      ['anyone', people, 'parties'],
    ] as const) {
      const task = this.#offer(
        `a Task whose deliveries are for ${adoptedReaders}`,
        this.#contract('fay', { eligibility: ['x'], adoptedReaders }),
      );
      this.#adopted(task, others, adoptedReaders);
      // What a later version declares says nothing of what an earlier one bound (K-5).
      this.#revise(
        task,
        2,
        'V-7',
        `the same, for ${later} from now on`,
        people,
        this.#contract('fay', { adoptedReaders: later }),
      );
    }
    const few: readonly Person[] = ['bob', 'ivy', 'jon'];
    const readers = union(['ada', 'fay'], few);
    const task = this.#task('V-8', readers);
    const content = this.#words(task, 1, 'V-8', 'a restricted Task whose deliveries are for its audience', readers);
    const audience = { kind: 'restricted', agents: few.map(agentOf) };
    const contract = this.#contract('fay', { eligibility: ['x'], adoptedReaders: 'audience' });
    this.act('task', task, 'ada', { type: 'task.create', audience, content, ...contract });
    this.#adopted(task, few, 'the audience of a restricted Task');
  }

  #deactivation(): void {
    const agent = agentOf('max');
    const kinds = ['memory', 'thread', 'task'] as const;
    const partitions = kinds.flatMap((kind) => [0, 1].map((partition) => ({ kind, partition })));
    this.act('agent', agent, 'administration', { type: 'agent.deactivate', partitions });
    const objects = { memory: [], thread: Object.values(this.threads), task: this.tasks };
    for (const kind of kinds) this.world.applyWalk(kind, agent, 1, 'deactivate', objects[kind]);
    this.world.completeWalk(agent, 1, 'deactivate');
  }
}

/** A word that stands nowhere else. */
const wordOf = (number: number): string => `word-${String(number).padStart(4, '0')}`;
/** The record of a content: its word in every field that any object has. */
export const recordOf = (number: number): string => {
  const word = wordOf(number);
  const content = { title: word, body: word, wanted: word, criteria: word, reason: word, note: word, payload: word };
  return JSON.stringify({ salt: 'x', content });
};
