import { type ContentRow, digestContent, presentDigest, type Presented, type Words } from './content.ts';
import {
  type Delivered,
  type Delivery,
  deliveryOf,
  type Judgment,
  judgmentOf,
  pinnedMemories,
  recordOf,
} from './deliveries.ts';
import { type TextRead, textRead } from './entries.ts';
import { iso, isoOrNull, type Page, pageOf, type Reader, statement } from './reader.ts';
import { lookUp } from './sql.ts';
import { deliveryReadable, visible } from './visible.ts';

/** Taken: confirmed and not delivered yet. The rest are the protocol's words (K-14). */
export type EngagementStatus = 'taken' | 'delivered' | 'adopted' | 'rejected' | 'undecided' | 'dropped' | 'timed-out';

/** An engagement as its parties see it: author, engaged agent, judge (V-10). */
export type EngagementItem = {
  readonly ref: string;
  readonly engagement: string;
  readonly task: string;
  readonly agent: string;
  readonly author: string;
  readonly judge: string;
  /** The contract version that it binds. */
  readonly version: string;
  readonly redoes: string | null;
  readonly status: EngagementStatus;
  readonly takenAt: string;
  readonly deliverBy: string;
  readonly deliveredAt: string | null;
  readonly judgeBy: string | null;
  readonly endedAt: string | null;
  /** Whether the judge or a deadline ended it, or it was dropped. */
  readonly endedBy: 'judge' | 'deadline' | 'dropped' | null;
} & Presented<Words>;

/** An adopted delivery as others read it whom the contract declares: nothing but what was delivered (V-11). */
export type AdoptedItem = {
  readonly ref: string;
  readonly engagement: string;
  readonly task: string;
  readonly version: string;
  readonly status: 'adopted';
};

type Row = ContentRow &
  Delivered<EngagementStatus> & {
    task: string;
    number: number;
    id: string;
    agent: string;
    author: string;
    judge: string;
    version: number;
    inputs: Delivered<string>['memories'];
    redoes: string | null;
    taken_at: Date;
    deliver_by: Date;
    judge_by: Date | null;
    ended_how: 'judge' | 'deadline' | 'dropped' | null;
    party: boolean;
    limit_reached: boolean;
  };

const isParty = visible['V-10'].when('e', '$1');
/** $1 is the reader. The words are those of the bound contract version. */
const columns = `e.task, e.number, e.id, e.agent, e.author, e.judge, e.version, e.inputs, e.redoes, e.status, e.taken_at, e.deliver_by,
  e.delivered_at, e.payload, e.payload_bytes, e.memories, e.judge_by, e.reason, e.ended_at, e.ended_how, ${isParty} as party,
  (k.max_adoptions is not null and t.adoptions >= k.max_adoptions) as limit_reached, ${digestContent('c', isParty)}`;
const joins = `${lookUp('t', 'task', 'id = e.task')} ${lookUp('k', 'contract', 'task = e.task and version = e.version')}
  ${lookUp('c', 'content', 'id = k.content')}`;
/** So many of those that the condition leaves, in their order. */
const those = (condition: string, limit: string): string => `
  select ${columns} from (select * from read.engagement e where e.task = $2 and ${condition} order by e.number limit ${limit}) e
  ${joins} order by e.number`;

const page = statement<Row>(
  'engagements',
  those(`e.number > $3 and ($4::text is null or e.status = $4) and ${deliveryReadable('e', '$1')}`, '$5'),
);
const running = statement<Row>('engagements-running', those(`e.ended_at is null and ${isParty}`, '$3'));
const one = statement<Row>(
  'engagement',
  `select ${columns} from read.engagement e ${joins} where e.task = $2 and e.id = $3 and ${deliveryReadable('e', '$1')}`,
);

type OfTask = { readonly task: string; readonly agent: string };

/** The engagements of a Task that the agent may know (V-10), and adopted deliveries that it may read (V-11); in their order. */
export const engagementsPage = async (
  reader: Reader,
  {
    task,
    agent,
    after,
    status,
    limit,
  }: OfTask & { after: number; status: EngagementStatus | undefined; limit: number },
): Promise<Page<EngagementItem | AdoptedItem, number>> =>
  pageOf(await page(reader, [agent, task, after, status ?? null, limit + 1]), limit, shown, (row) => row.number);

/** What the rules need to know of an engagement to say what can be done with it. */
export type EngagementView = { readonly item: EngagementItem; readonly limitReached: boolean };

/** The engagements of a Task that have not ended and to which the agent is a party. */
export const runningEngagements = async (
  reader: Reader,
  { task, agent, limit }: OfTask & { limit: number },
): Promise<readonly EngagementView[]> => (await running(reader, [agent, task, limit])).map(viewOf);

const viewOf = (row: Row): EngagementView => ({ item: engagementItem(row), limitReached: row.limit_reached });
const shown = (row: Row): EngagementItem | AdoptedItem => (row.party ? engagementItem(row) : adoptedItem(row));

const adoptedItem = ({ task, id, version }: Row): AdoptedItem => ({
  ref: `${task}/engagements/${id}`,
  engagement: id,
  task,
  version: `${task}/versions/${version}`,
  status: 'adopted',
});

const engagementItem = (row: Row): EngagementItem => ({
  ref: `${row.task}/engagements/${row.id}`,
  engagement: row.id,
  task: row.task,
  agent: row.agent,
  author: row.author,
  judge: row.judge,
  version: `${row.task}/versions/${row.version}`,
  redoes: row.redoes === null ? null : `${row.task}/engagements/${row.redoes}`,
  status: row.status,
  takenAt: iso(row.taken_at),
  deliverBy: iso(row.deliver_by),
  deliveredAt: isoOrNull(row.delivered_at),
  judgeBy: isoOrNull(row.judge_by),
  endedAt: isoOrNull(row.ended_at),
  endedBy: row.ended_how,
  ...presentDigest(row, 'wanted'),
});

export type EngagementWhole =
  | (EngagementView & {
      /** The bound versions with their titles: they are the author's own, and engaged agent and judge may read them (V-9). */
      readonly inputs: Delivery['memories'];
      readonly delivery: Delivery | null;
      readonly judgment: Judgment<EngagementStatus> | null;
    })
  | { readonly adopted: AdoptedItem; readonly delivery: Delivery | null };

/** One engagement in full; undefined for who may not know it, and if there is none (V-10, V-14). Run it in a snapshot. */
export const engagementWhole = async (
  reader: Reader,
  { task, engagement, agent, bytesMax }: OfTask & { engagement: string; bytesMax: number },
): Promise<EngagementWhole | undefined> => {
  const [row] = await one(reader, [agent, task, engagement]);
  if (row === undefined) return undefined;
  const half = Math.floor(bytesMax / 2);
  const delivery = await deliveryOf(reader, row, row.agent, half);
  if (!row.party) return { adopted: adoptedItem(row), delivery };
  return {
    ...viewOf(row),
    inputs: await pinnedMemories(reader, row.inputs, row.author),
    delivery,
    judgment: await judgmentOf(reader, row, half),
  };
};

/** The payload of a delivery, as JSON text; undefined if there is none for this agent (V-10, V-11). */
export const engagementPayload = async (
  reader: Reader,
  { task, engagement, agent }: OfTask & { engagement: string },
): Promise<TextRead> => {
  const [row] = await one(reader, [agent, task, engagement]);
  return row === undefined || row.payload === null
    ? undefined
    : textRead(await recordOf(reader, row.payload), (words) => JSON.stringify(words['payload']));
};
