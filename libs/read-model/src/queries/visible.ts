import { isAmong, isThere } from './sql.ts';

/**
 * Who may read what (§9), once, as SQL conditions. Every statement that hands out content or structure uses these, in the
 * same statement or snapshot as what it hands out (V-15).
 */

/** The agent is a current member of the thread, closed or not (V-3, V-13). */
export const isMember = (thread: string, agent: string): string =>
  isThere(`read.membership cm where cm.thread = ${thread} and cm.agent = ${agent} and cm.ended_at is null`);

/** The Memory of alias `m` is valid and public (V-1). What an entry gave birth to starts valid and private (M-1). */
export const isPublic = (m: string): string =>
  `(coalesce(${m}.status, 'valid') = 'valid' and coalesce(${m}.visibility, 'private') = 'public')`;

/** A pin is readable in its context: one's own always, another's only while valid and public (V-4, M-8, M-9). */
export const pinReadable = (pinnedBy: string, m: string): string =>
  `coalesce(${m}.author = ${pinnedBy} or ${isPublic(m)}, false)`;

/** The current version of the Memory of alias `m`. */
export const currentVersion = (m: string): string => `coalesce(${m}.current_version, 1)`;

/** Belongs to the audience of the Task of alias `t` (K-6). */
export const isNamed = (t: string, agent: string): string =>
  `(${t}.audience = 'open' or ${isThere(`read.task_audience na where na.task = ${t}.id and na.agent = ${agent}`)})`;

/** Reads every contract version of the Task of alias `t`: anyone of an open one; else author, named agents, judge (V-7, V-8). */
const readsContracts = (t: string, agent: string): string => `(
  ${isNamed(t, agent)} or ${t}.author = ${agent}
  or ${isThere(`read.contract rc where rc.task = ${t}.id and rc.version = ${t}.version and rc.judge = ${agent}`)})`;

/** May know the Task of alias `t`: whoever reads its contract, or judges an engagement bound to an earlier version (V-7, V-8). */
export const knowsTask = (t: string, agent: string): string => `(
  ${readsContracts(t, agent)}
  or ${isThere(`read.engagement ke where ke.task = ${t}.id and ke.judge = ${agent}`)})`;

/** May read this contract version: who reads them all, and the judge of an engagement that it binds (V-7, V-8). */
export const contractReadable = (t: string, version: string, agent: string): string => `(
  ${readsContracts(t, agent)}
  or ${isThere(`read.engagement be where be.task = ${t}.id and be.version = ${version} and be.judge = ${agent}`)})`;

/**
 * The contract version by which the Task of alias `t` is shown to an agent that may know it: that of now, or, to a judge of
 * engagements bound to earlier versions alone, the newest of those (V-8).
 */
export const shownVersion = (
  t: string,
  agent: string,
): string => `(case when ${readsContracts(t, agent)} then ${t}.version
  else (select max(sv.version) from read.engagement sv where sv.task = ${t}.id and sv.judge = ${agent}) end)`;

/** Author, engaged agent and judge read the engagement of alias `e` (V-10). */
export const isParty = (e: string, agent: string): string => `(${agent} in (${e}.author, ${e}.agent, ${e}.judge))`;

/** Has every label that is asked for (K-4). */
export const isEligible = (labels: string, agent: string): string =>
  `coalesce((select el.labels from read.agent el where el.id = ${agent}) @> ${labels}, false)`;

/** May read the delivery of the engagement of alias `e`: its parties, and once adopted whom the bound contract declares (V-10, V-11). */
export const deliveryReadable = (e: string, agent: string): string => `(
  ${isParty(e, agent)}
  or (${e}.status = 'adopted' and ${isThere(`read.contract ac join read.task at on at.id = ac.task
    where ac.task = ${e}.task and ac.version = ${e}.version and (ac.adopted_readers = 'anyone'
      or (ac.adopted_readers = 'audience' and ${isNamed('at', agent)} and ${isEligible('ac.eligibility', agent)}))`)}))`;

const pins = (column: string, m: string, version: string): string =>
  `${column} @> jsonb_build_array(jsonb_build_object('id', ${m}.id, 'version', ${version}))`;

/**
 * The agent may read this version of the Memory of alias `m`: it is the author's (V-2), the current one of a valid public
 * Memory (V-1), pinned in a thread of which the agent is a member (V-4, V-5), bound as an input by an engagement that it
 * works on or judges (V-9), or pinned by a delivery that it may read (V-16).
 */
export const versionReadable = (m: string, version: string, agent: string): string => `(
  ${m}.author = ${agent}
  or (${isPublic(m)} and ${currentVersion(m)} = ${version})
  or ${isThere(`read.entry pe where pe.memory = ${m}.id and pe.version = ${version}
             and ${pinReadable('pe.author', m)} and ${isMember('pe.thread', agent)}`)}
  or ${isAmong('pa', `read.assignment a where ${pins('a.memories', m, version)}`, `pa.assignee = ${m}.author and ${isMember('pa.thread', agent)}`)}
  or ${isAmong('ie', `read.engagement e where ${pins('e.inputs', m, version)}`, `${agent} in (ie.agent, ie.judge)`)}
  or ${isAmong('de', `read.engagement e where ${pins('e.memories', m, version)}`, `de.agent = ${m}.author and ${deliveryReadable('de', agent)}`)})`;
