import { administration, type ReadName } from '@kungfu/protocol';
import { agent, agents } from './accounts.ts';
import { duties } from './duties.ts';
import { memories, memory, memoryContent, version, versionContent, versions } from './memories.ts';
import { isFenced } from './fence.ts';
import type { ReadAnswer, ReadCall, ReadContext, ReadHandler, Reads } from './reads.ts';
import { me, receipt, service, wellKnown } from './service.ts';
import {
  contract,
  contractContent,
  contracts,
  engagement,
  engagementPayload,
  engagements,
  task,
  tasks,
} from './tasks.ts';
import {
  assignment,
  assignmentContent,
  assignmentPayload,
  assignments,
  entries,
  entry,
  entryContent,
  members,
  threads,
  workingSet,
} from './threads.ts';

const handlers: { readonly [N in ReadName]: ReadHandler } = {
  'service.get': service,
  'service.well-known': wellKnown,
  'me.get': me,
  'turn.list': duties('turn'),
  'opportunities.list': duties('opportunities'),
  'waiting.list': duties('waiting'),
  'threads.list': threads,
  'memories.list': memories,
  'thread.get': workingSet,
  'thread.members': members,
  'thread.entries': entries,
  'thread.entry': entry,
  'thread.entry.content': entryContent,
  'thread.assignments': assignments,
  'thread.assignment': assignment,
  'thread.assignment.content': assignmentContent,
  'thread.assignment.payload': assignmentPayload,
  'memory.get': memory,
  'memory.content': memoryContent,
  'memory.versions': versions,
  'memory.version': version,
  'memory.version.content': versionContent,
  'tasks.list': tasks,
  'task.get': task,
  'task.versions': contracts,
  'task.version': contract,
  'task.version.content': contractContent,
  'task.engagements': engagements,
  'task.engagement': engagement,
  'task.engagement.payload': engagementPayload,
  'receipt.get': receipt,
  'agents.list': agents,
  'agent.get': agent,
};

/** Reads that are true while the read model is being rebuilt: what they find stands, what they do not find is told as not found. */
const truthful: ReadonlySet<ReadName> = new Set(['service.get', 'service.well-known', 'receipt.get']);

/** Answers every read from the read model, which shows all that was ever acknowledged (engine.md §1, 6). */
export class ReadService implements Reads {
  constructor(private readonly context: ReadContext) {}

  /** Throws what the database throws. */
  async answer(call: ReadCall): Promise<ReadAnswer> {
    const seconds = await this.#overRate(call.agent);
    if (seconds !== undefined) return { kind: 'refused', code: 'rate_limited', retryAfter: seconds };
    const answer = await handlers[call.read](this.context, call);
    // Asked after reading: the fence falls in the transaction that empties the read model.
    if (!truthful.has(call.read) && (await isFenced(this.context.pool)))
      return { kind: 'refused', code: 'pending', retryAfter: 1 };
    return answer;
  }

  async #overRate(agent: string): Promise<number | undefined> {
    return agent === '' || agent === administration ? undefined : this.context.limiter.read(agent);
  }
}
