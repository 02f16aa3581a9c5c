/**
 * Who may read what (§9), once, as SQL conditions. Every statement that hands out content or structure uses these, in the
 * same statement or snapshot as what it hands out (V-15).
 */

/** The agent is a current member of the thread, closed or not (V-3, V-13). */
export const isMember = (thread: string, agent: string): string =>
  `exists (select 1 from read.membership cm where cm.thread = ${thread} and cm.agent = ${agent} and cm.ended_at is null)`;

/** The Memory of alias `m` is valid and public (V-1). What an entry gave birth to starts valid and private (M-1). */
export const isPublic = (m: string): string =>
  `(coalesce(${m}.status, 'valid') = 'valid' and coalesce(${m}.visibility, 'private') = 'public')`;

/** A pin is readable in its context: one's own always, another's only while valid and public (V-4, M-8, M-9). */
export const pinReadable = (pinnedBy: string, m: string): string =>
  `coalesce(${m}.author = ${pinnedBy} or ${isPublic(m)}, false)`;

/** The current version of the Memory of alias `m`. */
export const currentVersion = (m: string): string => `coalesce(${m}.current_version, 1)`;

/**
 * The agent may read this version of the Memory of alias `m`: it is the author's (V-2), the current one of a valid public
 * Memory (V-1), or pinned in a thread of which the agent is a member (V-4, V-5).
 */
export const versionReadable = (m: string, version: string, agent: string): string => `(
  ${m}.author = ${agent}
  or (${isPublic(m)} and ${currentVersion(m)} = ${version})
  or exists (select 1 from read.entry pe where pe.memory = ${m}.id and pe.version = ${version}
             and ${pinReadable('pe.author', m)} and ${isMember('pe.thread', agent)})
  or exists (select 1 from read.assignment pa
             where pa.memories @> jsonb_build_array(jsonb_build_object('id', ${m}.id, 'version', ${version}))
             and pa.assignee = ${m}.author and ${isMember('pa.thread', agent)}))`;
