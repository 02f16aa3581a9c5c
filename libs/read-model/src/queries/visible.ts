import { isAmong, isThere } from './sql.ts';

/** One line of the decision table: what it is about, who reads it, and that as a SQL condition. */
type Line<When> = { readonly content: string; readonly readers: string; readonly when: When };
const line = <When>(content: string, readers: string, when: When): Line<When> => ({ content, readers, when });

/**
 * Who reads what (§9): the one place where it is decided. Statements take their conditions from here, or from the
 * combinations below, and evaluate them in the statement or snapshot that hands out what they guard (V-15). Where nothing
 * is handed out, an answer is the one for what does not exist (V-14).
 *
 * `m`, `t`, `e`, `r` and `cm` are aliases of a Memory, a Task, an engagement (or an entry, where it says so), a response or
 * receipt, and a membership; `agent`, the reader, and all others are SQL expressions.
 */
export const visible = {
  'V-1': line(
    'the current version of a valid public Memory',
    'anyone',
    // What an entry gave birth to is private until its own facts say otherwise (M-1): both columns are null till then.
    (m: string, version?: string): string =>
      `(${m}.visibility = 'public' and ${m}.status = 'valid'${version === undefined ? '' : ` and ${currentVersion(m)} = ${version}`})`,
  ),
  'V-2': line(
    'every version of a Memory',
    'its author',
    (m: string, agent: string): string => `${m}.author = ${agent}`,
  ),
  'V-3': line(
    'structure, members, admission facts, entries, assignments, deliveries and judgments of a thread, open or closed',
    'its members, as long as their membership lasts (V-13)',
    (thread: string, agent: string): string =>
      isThere(`read.membership cm where cm.thread = ${thread} and ${lasts('cm', agent)}`),
  ),
  'V-4': line(
    'a version of a Memory that an entry pins',
    'who reads the entry (V-3): of the poster’s own always, of another’s only while it is valid and public (M-8, M-9)',
    (postedBy: string, m: string): string =>
      `coalesce(${visible['V-2'].when(m, postedBy)} or ${visible['V-1'].when(m)}, false)`,
  ),
  'V-5': line(
    'a version of a Memory that the delivery of an assignment pins',
    'who reads the delivery (V-3); it is the taker’s own',
    (takenBy: string, m: string): string => isOwn(takenBy, m),
  ),
  'V-6': line(
    'the note with which a response `r` to the entry `e` was handled',
    'the author of the entry and the responder, as long as they read the entry (V-3)',
    (r: string, e: string, agent: string): string => `(${r}.agent = ${agent} or ${e}.author = ${agent})`,
  ),
  'V-7': line(
    'every version of the contract of an open Task',
    'anyone',
    (t: string): string => `${t}.audience = 'open'`,
  ),
  'V-7 bound': line(
    'the version of a contract that an engagement binds, or (without a version) that there is one',
    'the judge of the engagement; its engaged agent is one of the audience for ever (K-6)',
    (t: string, agent: string, version?: string): string =>
      isThere(
        `read.engagement be where be.task = ${t}.id and be.judge = ${agent}${version === undefined ? '' : ` and be.version = ${version}`}`,
      ),
  ),
  'V-8': line(
    'every version of the contract of a restricted Task',
    'its author, the agents that it names, and the judge of now',
    (t: string, agent: string): string => `${isNamed(t, agent)} or ${t}.author = ${agent}
  or ${isThere(`read.contract rc where rc.task = ${t}.id and rc.version = ${t}.version and rc.judge = ${agent}`)}`,
  ),
  'V-9': line(
    'the versions of Memories that an engagement binds as inputs',
    'the engaged agent and the judge, after its end too',
    (e: string, agent: string): string => `${agent} in (${e}.agent, ${e}.judge)`,
  ),
  'V-10': line(
    'engagements, deliveries, judgments and endings of a Task, and how many there are',
    'the author, the engaged agent concerned and the judge',
    (e: string, agent: string): string => `(${agent} in (${e}.author, ${e}.agent, ${e}.judge))`,
  ),
  'V-11': line(
    'an adopted delivery',
    'whom the bound version declares: nobody else, the audience (of an open Task who has the labels, else the named), anyone',
    (e: string, agent: string): string =>
      `(${e}.status = 'adopted' and ${isThere(`read.contract ac join read.task at on at.id = ac.task
    where ac.task = ${e}.task and ac.version = ${e}.version and (ac.adopted_readers = 'anyone'
      or (ac.adopted_readers = 'audience'
        and (${isNamed('at', agent)} or (${visible['V-7'].when('at')} and ${isEligible('ac.eligibility', agent)}))))`)})`,
  ),
  'V-12': line('a receipt', 'the agent that acted', (r: string, agent: string): string => `${r}.agent = ${agent}`),
  'V-16': line(
    'a version of a Memory that the delivery of an engagement pins',
    'who reads the delivery (V-10, V-11), after withdrawal too; it is the engaged agent’s own',
    (engaged: string, m: string): string => isOwn(engaged, m),
  ),
} as const;

const isOwn = (by: string, m: string): string => `coalesce(${visible['V-2'].when(m, by)}, false)`;

/** The membership of alias `cm` is the agent's and has not ended. */
export const lasts = (cm: string, agent: string): string => `${cm}.agent = ${agent} and ${cm}.ended_at is null`;

/** The current version of the Memory of alias `m`. */
export const currentVersion = (m: string): string => `coalesce(${m}.current_version, 1)`;

const isNamed = (t: string, agent: string): string =>
  isThere(`read.task_audience na where na.task = ${t}.id and na.agent = ${agent}`);
/** The Task of alias `t` is open, or names the agent (K-6). */
export const isOfAudience = (t: string, agent: string): string => `(${visible['V-7'].when(t)} or ${isNamed(t, agent)})`;

/** Has every label that is asked for (K-4). */
export const isEligible = (labels: string, agent: string): string =>
  `coalesce((select el.labels from read.agent el where el.id = ${agent}) @> ${labels}, false)`;

// Combinations of lines.

/** May know the Memory of alias `m`, with its current version (V-1, V-2, M-6). */
export const knowsMemory = (m: string, agent: string): string =>
  `(${visible['V-2'].when(m, agent)} or ${visible['V-1'].when(m)})`;

/** The first version that is shown to who may know the Memory: of one's own all, of another's the current one (V-1, V-2). */
export const firstVersion = (m: string, agent: string): string =>
  `case when ${visible['V-2'].when(m, agent)} then 1 else ${currentVersion(m)} end`;

const readsContracts = (t: string, agent: string): string =>
  `${visible['V-7'].when(t)} or ${visible['V-8'].when(t, agent)}`;

/** May know the Task of alias `t`: whoever reads its contract, or judges an engagement bound to an earlier version (V-7, V-8). */
export const knowsTask = (t: string, agent: string): string => `(
  ${readsContracts(t, agent)}
  or ${visible['V-7 bound'].when(t, agent)})`;

/** May read this version of the contract of the Task of alias `t` (V-7, V-8). */
export const contractReadable = (t: string, version: string, agent: string): string => `(
  ${readsContracts(t, agent)}
  or ${visible['V-7 bound'].when(t, agent, version)})`;

/**
 * The contract version by which the Task of alias `t` is shown to an agent that may know it: that of now, or, to a judge of
 * engagements bound to earlier versions alone, the newest of those (V-7, V-8).
 */
export const shownVersion = (
  t: string,
  agent: string,
): string => `(case when (${readsContracts(t, agent)}) then ${t}.version
  else (select max(sv.version) from read.engagement sv where sv.task = ${t}.id and sv.judge = ${agent}) end)`;

/** May read the delivery of the engagement of alias `e` (V-10, V-11). */
export const deliveryReadable = (e: string, agent: string): string => `(
  ${visible['V-10'].when(e, agent)}
  or ${visible['V-11'].when(e, agent)})`;

const pins = (column: string, m: string, version: string): string =>
  `${column} @> jsonb_build_array(jsonb_build_object('id', ${m}.id, 'version', ${version}))`;

/** May read this version of the Memory of alias `m`, by whatever right (V-1, V-2, V-4, V-5, V-9, V-16). */
export const versionReadable = (m: string, version: string, agent: string): string => `(
  ${visible['V-2'].when(m, agent)}
  or ${visible['V-1'].when(m, version)}
  or ${isThere(`read.entry pe where pe.memory = ${m}.id and pe.version = ${version}
             and ${visible['V-4'].when('pe.author', m)} and ${visible['V-3'].when('pe.thread', agent)}`)}
  or ${isAmong('pa', `read.assignment a where ${pins('a.memories', m, version)}`, `${visible['V-5'].when('pa.assignee', m)} and ${visible['V-3'].when('pa.thread', agent)}`)}
  or ${isAmong('ie', `read.engagement e where ${pins('e.inputs', m, version)}`, visible['V-9'].when('ie', agent))}
  or ${isAmong('de', `read.engagement e where ${pins('e.memories', m, version)}`, `${visible['V-16'].when('de.agent', m)} and ${deliveryReadable('de', agent)}`)})`;
