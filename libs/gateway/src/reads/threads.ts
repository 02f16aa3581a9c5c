import { availableActions, type Hint, parseOrdinal } from '@kungfu/protocol';
import {
  accountOf,
  type AssignmentItem,
  type AssignmentStatus,
  assignmentsPage,
  assignmentText,
  assignmentWhole,
  dutyPage,
  entriesPage,
  entriesStart,
  entryText,
  entryWhole,
  liveAssignments,
  membersPage,
  type Page,
  type Reader,
  snapshot,
  type ThreadState,
  threadsPage,
  threadState,
} from '@kungfu/read-model';
import { pieceAnswer } from './pieces.ts';
import {
  found,
  foundOr404,
  notFound,
  paged,
  type ReadAnswer,
  type ReadCall,
  type ReadContext,
  type ReadHandler,
  wholeBytes,
} from './reads.ts';

/** How much of each part a working set shows; the rest is in pages (O-7). */
const shown = { members: 20, entries: 10, assignments: 20, duties: 50 } as const;
/** What one object may show of its content; the rest of a page is structure. Bytes. */
const wholeBytesMax = 180_000;

const threadOf = ({ path }: ReadCall): string => path['thread'] ?? '';
const statusOf = <Status>({ query }: ReadCall): Status | undefined => query['status'] as Status | undefined;

export const threads: ReadHandler = (context, call) =>
  paged(context, call, '', (after, limit) =>
    threadsPage(context.pool, { agent: call.agent, after, limit, status: statusOf<'open' | 'closed'>(call) }),
  );

/** The working set of a thread, from one state (O-6, V-15). */
export const workingSet: ReadHandler = (context, call) =>
  snapshot(context.pool, async (reader) => {
    const state = await threadState(reader, threadOf(call), call.agent);
    return state === undefined ? notFound : found(await setOf(context, reader, call.agent, state));
  });

const setOf = async (context: ReadContext, reader: Reader, agent: string, state: ThreadState): Promise<object> => {
  const { thread } = state.item;
  const now = context.clock.now();
  const about = { agent, now, limit: shown.duties, object: thread };
  const obligations = await dutyPage(reader, 'turn', about);
  const opportunities = await dutyPage(reader, 'opportunities', about);
  const members = await membersPage(reader, { thread, agent, after: 0, limit: shown.members });
  const recent = await entriesPage(reader, {
    thread,
    agent,
    after: entriesStart.newest,
    limit: shown.entries,
    order: 'newest',
  });
  const live = await liveAssignments(reader, thread, agent, shown.assignments);
  const active = (await accountOf(reader, agent))?.state === 'active';
  return {
    now: new Date(now).toISOString(),
    me: agent,
    ...state.item,
    membership: state.membership,
    grant: state.grant,
    members: { count: state.members, items: members.items },
    obligations: obligations.items,
    moreObligations: obligations.next !== null,
    opportunities: opportunities.items,
    recent: recent.items,
    live,
    available: active
      ? [
          ...threadActions(state),
          ...obligations.items.flatMap(handling),
          ...live.flatMap((item) => assignmentActions(item, thread, agent, now)),
        ]
      : [],
  };
};

const threadActions = ({ item, governors, members, grant }: ThreadState): readonly Hint[] =>
  availableActions({
    kind: 'thread',
    thread: item.thread,
    status: item.status,
    role: item.role,
    governors,
    members,
    grantLive: grant !== null,
  });

const handling = ({ ref, obligation }: { readonly ref: string; readonly obligation?: string }): readonly Hint[] =>
  obligation === 'respond' ? [{ action: 'thread.handle', ref }] : [];

const assignmentActions = (item: AssignmentItem, thread: string, agent: string, now: number): readonly Hint[] =>
  availableActions({
    kind: 'assignment',
    thread,
    assignment: item.assignment,
    status: item.status,
    creates: item.creator === agent,
    does: item.assignee === agent,
    judges: item.judge === agent,
    deliverBy: millisOf(item.deliverBy),
    judgeBy: millisOf(item.judgeBy),
    now,
  });

const millisOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** A list of a thread, for members only: for others the thread does not exist (V-14). */
const listOf =
  <Key>(
    start: Key | ((call: ReadCall) => Key),
    page: (reader: Reader, call: ReadCall, after: Key, limit: number) => Promise<Page<object, Key>>,
  ): ReadHandler =>
  async (context, call) =>
    paged(
      context,
      call,
      typeof start === 'function' ? (start as (call: ReadCall) => Key)(call) : start,
      (after, limit) =>
        snapshot(context.pool, async (reader) => {
          const state = await threadState(reader, threadOf(call), call.agent);
          return state === undefined ? undefined : page(reader, call, after, limit);
        }),
    );

export const members = listOf(0, (reader, call, after, limit) =>
  membersPage(reader, { thread: threadOf(call), agent: call.agent, after, limit }),
);

const orderOf = ({ query }: ReadCall): 'oldest' | 'newest' =>
  (query['order'] as 'oldest' | 'newest' | undefined) ?? 'oldest';
export const entries = listOf<number>(
  (call) => entriesStart[orderOf(call)],
  (reader, call, after, limit) =>
    entriesPage(reader, { thread: threadOf(call), agent: call.agent, after, limit, order: orderOf(call) }),
);

export const assignments = listOf(0, (reader, call, after, limit) =>
  assignmentsPage(reader, {
    thread: threadOf(call),
    agent: call.agent,
    after,
    limit,
    status: statusOf<AssignmentStatus>(call),
  }),
);

/** One part of a thread with what the caller can do with it, from one state. */
const partOf =
  (
    part: 'entry' | 'assignment',
    show: (
      reader: Reader,
      state: ThreadState,
      number: number,
      about: { agent: string; now: number; active: boolean; bytesMax: number },
    ) => Promise<object | undefined>,
  ): ReadHandler =>
  async (context, call): Promise<ReadAnswer> => {
    const number = parseOrdinal(call.path[part]);
    if (number === undefined) return notFound;
    return snapshot(context.pool, async (reader) => {
      const state = await threadState(reader, threadOf(call), call.agent);
      if (state === undefined) return notFound;
      const active = (await accountOf(reader, call.agent))?.state === 'active';
      return foundOr404(
        await show(reader, state, number, {
          agent: call.agent,
          now: context.clock.now(),
          active,
          bytesMax: wholeBytes(call, wholeBytesMax),
        }),
      );
    });
  };

export const entry = partOf(
  'entry',
  async (reader, { item: { thread, status, role }, membership }, number, { agent, active, bytesMax }) => {
    const whole = await entryWhole(reader, { thread, entry: number, agent, bytesMax });
    if (whole === undefined) return undefined;
    const { item, responses } = whole;
    const owed = responses.some((response) => response.agent === agent && response.endedAt === null);
    const posted = item.author === agent && whole.membership === membership.number;
    const view = { kind: 'entry', thread, entry: number, status, role, owed, posted, pending: item.pending } as const;
    return { ...item, responses, available: active ? availableActions(view) : [] };
  },
);

export const assignment = partOf(
  'assignment',
  async (reader, { item: { thread } }, number, { agent, now, active, bytesMax }) => {
    const whole = await assignmentWhole(reader, { thread, assignment: number, agent, bytesMax });
    if (whole === undefined) return undefined;
    const { item, delivery, judgment } = whole;
    return {
      now: new Date(now).toISOString(),
      ...item,
      delivery,
      judgment,
      available: active ? assignmentActions(item, thread, agent, now) : [],
    };
  },
);

export const entryContent: ReadHandler = async (context, call) => {
  const number = parseOrdinal(call.path['entry']);
  if (number === undefined) return notFound;
  const text = await entryText(context.pool, { thread: threadOf(call), entry: number, agent: call.agent });
  return pieceAnswer(`${threadOf(call)}/entries/${number}`, text, call);
};

const assignmentPiece =
  (part: 'content' | 'payload'): ReadHandler =>
  async (context, call) => {
    const number = parseOrdinal(call.path['assignment']);
    if (number === undefined) return notFound;
    const thread = threadOf(call);
    const text = await snapshot(context.pool, (reader) =>
      assignmentText(reader, { thread, assignment: number, agent: call.agent, part }),
    );
    return pieceAnswer(`${thread}/assignments/${number}`, text, call);
  };
export const assignmentContent = assignmentPiece('content');
export const assignmentPayload = assignmentPiece('payload');
