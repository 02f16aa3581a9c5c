import { availableActions, type Hint, parseOrdinal } from '@kungfu/protocol';
import {
  accountOf,
  contractsPage,
  contractText,
  contractWhole,
  dutyPage,
  engagementPayload as payloadText,
  type EngagementStatus,
  engagementsPage,
  type EngagementView,
  engagementWhole,
  type Reader,
  runningEngagements,
  snapshot,
  tasksPage,
  type TaskState,
  taskState,
} from '@kungfu/read-model';
import { pieceAnswer } from './pieces.ts';
import {
  found,
  foundOr404,
  notFound,
  paged,
  type ReadCall,
  type ReadContext,
  type ReadHandler,
  wholeBytes,
} from './reads.ts';

/** How much of each part a working set shows; the rest is in pages (O-7). */
const shown = { engagements: 20, duties: 50 } as const;
/** What one object may show of its content; the rest of a page is structure. Bytes. */
const wholeBytesMax = 180_000;

const taskOf = ({ path }: ReadCall): string => path['task'] ?? '';
const engagementOf = ({ path }: ReadCall): string => path['engagement'] ?? '';

export const tasks: ReadHandler = (context, call) => {
  const { query, agent } = call;
  const status = query['status'] as 'open' | 'paused' | undefined;
  const filters = { status, mine: query['mine'] === true, eligible: query['eligible'] === true };
  const now = context.clock.now();
  return paged(context, call, '', (after, limit) => tasksPage(context.pool, { agent, now, after, limit, ...filters }));
};

/** The working set of a Task, from one state (O-6, V-15). */
export const task: ReadHandler = (context, call) =>
  snapshot(context.pool, async (reader) => {
    const now = context.clock.now();
    const about = { task: taskOf(call), agent: call.agent, now, bytesMax: wholeBytes(call, wholeBytesMax) };
    const state = await taskState(reader, about);
    return state === undefined ? notFound : found(await setOf(reader, call.agent, state, now));
  });

const setOf = async (reader: Reader, agent: string, state: TaskState, now: number): Promise<object> => {
  const { item, contract: now_ } = state;
  const isAuthor = item.author === agent;
  const about = { agent, now, limit: shown.duties, object: item.task };
  const obligations = await dutyPage(reader, 'turn', about);
  const opportunities = await dutyPage(reader, 'opportunities', about);
  const running = await runningEngagements(reader, { task: item.task, agent, limit: shown.engagements });
  const active = (await accountOf(reader, agent))?.state === 'active';
  return {
    now: new Date(now).toISOString(),
    me: agent,
    ...item,
    contract: now_,
    ...(isAuthor ? { named: state.named, adoptions: state.adoptions } : {}),
    obligations: obligations.items,
    moreObligations: obligations.next !== null,
    opportunities: opportunities.items,
    engagements: running.map((view) => view.item),
    available: active
      ? [...taskActions(state, isAuthor), ...running.flatMap((view) => engagementActions(view, agent, now))]
      : [],
  };
};

const taskActions = ({ item, mayTake, engaged, takeable }: TaskState, author: boolean): readonly Hint[] =>
  availableActions({
    kind: 'task',
    task: item.task,
    author,
    paused: item.status === 'paused',
    mayTake,
    engaged,
    takeable,
  });

const engagementActions = ({ item, limitReached }: EngagementView, agent: string, now: number): readonly Hint[] =>
  availableActions({
    kind: 'engagement',
    task: item.task,
    engagement: item.engagement,
    status: item.status,
    does: item.agent === agent,
    judges: item.judge === agent,
    limitReached,
    deliverBy: Date.parse(item.deliverBy),
    judgeBy: item.judgeBy === null ? null : Date.parse(item.judgeBy),
    now,
  });

/** Whether the caller may know the Task at all: for others there is none, on every page (V-14). */
const known = async ({ clock }: ReadContext, reader: Reader, call: ReadCall): Promise<boolean> =>
  (await taskState(reader, { task: taskOf(call), agent: call.agent, now: clock.now(), bytesMax: 0 })) !== undefined;

export const contracts: ReadHandler = (context, call) =>
  paged(context, call, 0, (after, limit) =>
    snapshot(context.pool, async (reader) =>
      (await known(context, reader, call))
        ? contractsPage(reader, { task: taskOf(call), agent: call.agent, after, limit })
        : undefined,
    ),
  );

export const contract: ReadHandler = async (context, call) => {
  const version = parseOrdinal(call.path['version']);
  if (version === undefined) return notFound;
  const about = { task: taskOf(call), agent: call.agent, version, bytesMax: wholeBytes(call, wholeBytesMax) };
  return foundOr404(await contractWhole(context.pool, about));
};

export const contractContent: ReadHandler = async (context, call) => {
  const version = parseOrdinal(call.path['version']);
  if (version === undefined) return notFound;
  const text = await contractText(context.pool, { task: taskOf(call), agent: call.agent, version });
  return pieceAnswer(`${taskOf(call)}/versions/${version}`, text, call);
};

export const engagements: ReadHandler = (context, call) =>
  paged(context, call, 0, (after, limit) =>
    snapshot(context.pool, async (reader) => {
      if (!(await known(context, reader, call))) return undefined;
      const status = call.query['status'] as EngagementStatus | undefined;
      return engagementsPage(reader, { task: taskOf(call), agent: call.agent, after, limit, status });
    }),
  );

export const engagement: ReadHandler = (context, call) =>
  snapshot(context.pool, async (reader) => {
    const { agent } = call;
    const about = {
      task: taskOf(call),
      engagement: engagementOf(call),
      agent,
      bytesMax: wholeBytes(call, wholeBytesMax),
    };
    const whole = await engagementWhole(reader, about);
    if (whole === undefined) return notFound;
    if ('adopted' in whole) return found({ ...whole.adopted, delivery: whole.delivery, available: [] });
    const now = context.clock.now();
    const active = (await accountOf(reader, agent))?.state === 'active';
    const { item, inputs, delivery, judgment } = whole;
    return found({
      now: new Date(now).toISOString(),
      ...item,
      inputs,
      delivery,
      judgment,
      available: active ? engagementActions(whole, agent, now) : [],
    });
  });

export const engagementPayload: ReadHandler = async (context, call) => {
  const about = { task: taskOf(call), engagement: engagementOf(call), agent: call.agent };
  const text = await snapshot(context.pool, (reader) => payloadText(reader, about));
  return pieceAnswer(`${about.task}/engagements/${about.engagement}`, text, call);
};
