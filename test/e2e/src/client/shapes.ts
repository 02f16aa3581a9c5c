import type * as client from '@kungfu/client';
import type * as server from '@kungfu/read-model';

/** What the two have in common, whatever text stands in it: texts are a participant's, and typed by the client alone. */
type Structure<T> = { readonly [Name in Exclude<keyof T, 'content'>]: T[Name] };
type Same<A, B> = [Structure<A>] extends [Structure<B>]
  ? [Structure<B>] extends [Structure<A>]
    ? true
    : never
  : never;

/** The client says of every item what the read model gives: this file does not compile when they differ. */
export const same: {
  readonly account: Same<client.Account, server.Account>;
  readonly key: Same<client.Key, server.Key>;
  readonly duty: Same<Omit<client.Duty, 'nextStep'>, Omit<server.Duty, 'nextStep'>>;
  readonly thread: Same<client.Thread, server.ThreadItem>;
  readonly member: Same<client.Member, server.Member>;
  readonly entry: Same<client.Entry, server.EntryItem>;
  readonly assignment: Same<client.Assignment, server.AssignmentItem>;
  readonly memory: Same<client.Memory, server.MemoryItem>;
  readonly version: Same<client.MemoryVersion, server.VersionItem>;
  readonly task: Same<client.Task, server.TaskItem>;
  readonly contract: Same<client.Contract, server.ContractItem>;
  readonly engagement: Same<client.Engagement, server.EngagementItem>;
  readonly adopted: Same<client.AdoptedEngagement, server.AdoptedItem>;
} = {
  account: true,
  key: true,
  duty: true,
  thread: true,
  member: true,
  entry: true,
  assignment: true,
  memory: true,
  version: true,
  task: true,
  contract: true,
  engagement: true,
  adopted: true,
};
