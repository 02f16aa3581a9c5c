import {
  type AgentId,
  agentId,
  type EngagementId,
  engagementId,
  type MemoryId,
  memoryId,
  type Pin,
  type TaskId,
  taskId,
  type ThreadId,
  threadId,
} from '../ids.ts';

/** The largest number inside an object that is looked up at all (a 32-bit integer in every store). */
export const ordinalMax = 2_147_483_647;

/** A reference as every read hands it out and every action takes it back (contract.md, Ids and references). */
export type Reference =
  | { readonly kind: 'agent'; readonly agent: AgentId }
  | { readonly kind: 'memory'; readonly memory: MemoryId }
  | { readonly kind: 'version'; readonly memory: MemoryId; readonly version: number }
  | { readonly kind: 'thread'; readonly thread: ThreadId }
  | { readonly kind: 'entry'; readonly thread: ThreadId; readonly entry: number }
  | { readonly kind: 'assignment'; readonly thread: ThreadId; readonly assignment: number }
  | { readonly kind: 'member'; readonly thread: ThreadId; readonly member: AgentId }
  | { readonly kind: 'task'; readonly task: TaskId }
  | { readonly kind: 'contract'; readonly task: TaskId; readonly version: number }
  | { readonly kind: 'engagement'; readonly task: TaskId; readonly engagement: EngagementId };

export const versionRef = ({ id, version }: Pin): string => `${id}/versions/${version}`;
export const entryRef = (thread: string, entry: number): string => `${thread}/entries/${entry}`;
export const assignmentRef = (thread: string, assignment: number): string => `${thread}/assignments/${assignment}`;
export const memberRef = (thread: string, member: string): string => `${thread}/members/${member}`;
export const contractRef = (task: string, version: number): string => `${task}/versions/${version}`;
export const engagementRef = (task: string, engagement: string): string => `${task}/engagements/${engagement}`;
export const grantRef = (thread: string, grant: number): string => `${thread}/grants/${grant}`;

/** Reads a reference; undefined if it is none. */
export const parseReference = (text: string): Reference | undefined => {
  const [head = '', collection, part, ...rest] = text.split('/');
  if (rest.length > 0) return undefined;
  if (isThread(head)) return threadPart(head, collection, part);
  if (isMemory(head)) return memoryPart(head, collection, part);
  if (isTask(head)) return taskPart(head, collection, part);
  return isAgent(head) && collection === undefined ? { kind: 'agent', agent: head } : undefined;
};

/** A number of a part as it stands in a path: 1, 2, … without sign, blanks or leading zeros; undefined if it is none. */
export const parseOrdinal = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^[1-9][0-9]{0,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= ordinalMax ? number : undefined;
};

const threadPart = (
  thread: ThreadId,
  collection: string | undefined,
  part: string | undefined,
): Reference | undefined => {
  if (collection === undefined) return { kind: 'thread', thread };
  if (collection === 'members')
    return part !== undefined && isAgent(part) ? { kind: 'member', thread, member: part } : undefined;
  const number = parseOrdinal(part);
  if (number === undefined) return undefined;
  if (collection === 'entries') return { kind: 'entry', thread, entry: number };
  return collection === 'assignments' ? { kind: 'assignment', thread, assignment: number } : undefined;
};

const memoryPart = (
  memory: MemoryId,
  collection: string | undefined,
  part: string | undefined,
): Reference | undefined => {
  if (collection === undefined) return { kind: 'memory', memory };
  const version = parseOrdinal(part);
  return collection === 'versions' && version !== undefined ? { kind: 'version', memory, version } : undefined;
};

const taskPart = (task: TaskId, collection: string | undefined, part: string | undefined): Reference | undefined => {
  if (collection === undefined) return { kind: 'task', task };
  if (collection === 'engagements')
    return part !== undefined && isEngagement(part) ? { kind: 'engagement', task, engagement: part } : undefined;
  const version = parseOrdinal(part);
  return collection === 'versions' && version !== undefined ? { kind: 'contract', task, version } : undefined;
};

const isThread = (text: string): text is ThreadId => threadId.safeParse(text).success;
const isMemory = (text: string): text is MemoryId => memoryId.safeParse(text).success;
const isTask = (text: string): text is TaskId => taskId.safeParse(text).success;
const isEngagement = (text: string): text is EngagementId => engagementId.safeParse(text).success;
const isAgent = (text: string): text is AgentId => agentId.safeParse(text).success;
