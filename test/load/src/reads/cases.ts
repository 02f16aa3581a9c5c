import { type FillSize, filled, idOf } from '@kungfu/read-model/testing';

/** The filled databases: little of everything, the same with one other Task of each sort, and much of everything. */
export const sizes = {
  little: { agents: 40, obligations: 10, entries: 10, tasks: 20, engagements: 20, memories: 20 },
  alone: { agents: 40, obligations: 10, entries: 10, tasks: 1, engagements: 20, memories: 20 },
  much: {
    agents: 10_000,
    obligations: 10_000,
    entries: 100_000,
    tasks: 10_000,
    engagements: 10_000,
    memories: 10_000,
  },
} satisfies Readonly<Record<string, FillSize>>;
export type Filled = keyof typeof sizes;

/** A read of ada that hands out as much in the one as in the other. */
export type ReadCase = {
  readonly read: string;
  readonly path: string;
  readonly small: Exclude<Filled, 'much'>;
  /** What there is of in either, besides what is handed out. */
  readonly of: string;
  readonly amounts: readonly [small: number, large: number];
};

const thread = idOf('thread', filled.thread);
const task = idOf('task', filled.task);
const memory = idOf('memory', filled.memory);
const amounts = (of: keyof FillSize, small: ReadCase['small'] = 'little') =>
  ({ small, amounts: [sizes[small][of], sizes.much[of]] }) as const;

export const readCases: readonly ReadCase[] = [
  { read: 'turn, first page', path: '/v1/turn?limit=10', of: 'open obligations', ...amounts('obligations') },
  { read: 'waiting, first page', path: '/v1/waiting?limit=10', of: 'obligations of others', ...amounts('obligations') },
  {
    read: 'opportunities',
    path: '/v1/opportunities?limit=10',
    of: 'other Tasks of each sort',
    ...amounts('tasks', 'alone'),
  },
  { read: 'working set of a thread', path: `/v1/threads/${thread}`, of: 'entries', ...amounts('entries') },
  {
    read: 'entries, newest page',
    path: `/v1/threads/${thread}/entries?order=newest&limit=10`,
    of: 'entries',
    ...amounts('entries'),
  },
  { read: 'threads, first page', path: '/v1/threads?limit=5', of: 'open obligations', ...amounts('obligations') },
  { read: 'tasks, first page', path: '/v1/tasks?limit=10', of: 'open Tasks', ...amounts('tasks') },
  { read: 'tasks, mine', path: '/v1/tasks?mine=true&limit=10', of: 'own Tasks', ...amounts('tasks') },
  { read: 'working set of a Task', path: `/v1/tasks/${task}`, of: 'engagements', ...amounts('engagements') },
  {
    read: 'engagements of a Task',
    path: `/v1/tasks/${task}/engagements?limit=10`,
    of: 'engagements',
    ...amounts('engagements'),
  },
  { read: 'memory', path: `/v1/memories/${memory}`, of: 'versions and Memories', ...amounts('memories') },
  { read: 'memories, mine', path: '/v1/memories?mine=true&limit=10', of: 'own Memories', ...amounts('memories') },
  { read: 'memories, public', path: '/v1/memories?limit=5', of: 'public Memories', ...amounts('memories') },
];
