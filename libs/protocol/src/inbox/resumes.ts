import { valuesOf } from '../buckets.ts';
import { accept, type Context, type Decision, refuse } from '../kernel.ts';
import type { InboxAction } from './actions.ts';
import type { InboxEffect, ResumePolicy } from './effects.ts';
import { limitOf } from './limit-of.ts';
import {
  type Existing,
  eventAt,
  lastResume,
  lastSequence,
  openResume,
  type Resumable,
  sequenceOf,
  type Wait,
  waitOf,
} from './state.ts';

type Of<T extends InboxAction['type']> = Extract<InboxAction, { type: T }>;
type Queued = Extract<InboxEffect, { type: 'inbox.resume-queued' }>;
type Told = Pick<Resumable, 'eventType' | 'subjects' | 'interrupt' | 'task'>;

/**
 * What a new event with this sequence resumes: the task it is about, or, if it is about none, every task that waits for it.
 * Only waiting tasks are resumed, unless the policy resumes at once and there is a task to resume (P-1).
 */
export const resumesBy = (
  inbox: Existing,
  sequence: number,
  told: Told & { readonly event: string },
  policy: ResumePolicy,
): readonly Queued[] => {
  if (policy === 'never' || policy === 'append_only') return [];
  const waiting = candidates(inbox, told).filter((wait) => waitsFor(wait, told));
  const tasks = waiting.map(({ task }) => ({ task, how: 'waited' as const }));
  const immediate = policy === 'resume_immediately' && told.task !== undefined && tasks.length === 0;
  const resumed = immediate ? [{ task: told.task!, how: 'immediate' as const }] : tasks;
  return resumed.map((one, i) => queue(inbox, i, { event: told.event, sequence }, one));
};

/** An event about a task is for that task; one about none may be what any waits for. */
const candidates = (inbox: Existing, { task }: Told): readonly Wait[] => {
  if (task === undefined) return valuesOf(inbox.waits);
  const wait = waitOf(inbox, task);
  return wait === undefined ? [] : [wait];
};

/** Waits for this type, this subject or this interrupt (P-1). */
const waitsFor = (
  { eventTypes, subjects, interrupts }: Pick<Wait, 'eventTypes' | 'subjects' | 'interrupts'>,
  told: Told,
): boolean =>
  eventTypes.includes(told.eventType) ||
  (told.interrupt !== undefined && interrupts.includes(told.interrupt)) ||
  told.subjects.some((subject) => subjects.includes(subject));

type ByEvent = { readonly event: string; readonly sequence: number };
const queue = (
  inbox: Existing,
  i: number,
  { event, sequence }: ByEvent,
  { task, how }: Pick<Queued, 'task' | 'how'>,
): Queued => ({ type: 'inbox.resume-queued', resume: lastResume(inbox) + 1 + i, event, sequence, task, how });

/**
 * Declares what a task waits for, in place of what it waited for before. An event that came first, after `after`, is not
 * lost: it resumes the task at once. One resume ends the wait; the agent declares the next when the task waits again.
 */
export const wait = (inbox: Existing, action: Of<'akep.wait'>, context: Context): Decision<InboxEffect> => {
  const { task, eventTypes, subjects, interrupts, after = lastSequence(inbox) } = action;
  const declared = waitOf(inbox, task) !== undefined;
  if (eventTypes.length + subjects.length + interrupts.length === 0)
    return declared ? accept({ type: 'inbox.wait-ended', task }) : refuse('no_effect');
  if (after > lastSequence(inbox)) return refuse('invalid_target');
  if (!declared && inbox.waiting >= limitOf(context, 'akepWaitsMax')) return refuse('wrong_state');
  const sequence = firstAwaited(inbox, action, after);
  if (sequence !== undefined && inbox.openResumes >= limitOf(context, 'akepOpenResumesMax'))
    return refuse('overloaded');
  const waiting: InboxEffect = { type: 'inbox.wait-declared', task, eventTypes, subjects, interrupts, after };
  if (sequence === undefined) return accept(waiting);
  const event = eventAt(inbox, sequence)!.id;
  return accept<InboxEffect>(waiting, queue(inbox, 0, { event, sequence }, { task, how: 'waited' }));
};

/** The first kept event after `after` that the task waits for, and has not been resumed by (P-2). */
const firstAwaited = (inbox: Existing, waiting: Of<'akep.wait'>, after: number): number | undefined => {
  for (let sequence = Math.max(after, inbox.expired) + 1; sequence <= lastSequence(inbox); sequence++) {
    const resumable = eventAt(inbox, sequence)?.resumable;
    if (resumable !== undefined && mayResume(resumable, waiting.task) && waitsFor(waiting, resumable)) return sequence;
  }
  return undefined;
};

const mayResume = ({ task, resumed }: Resumable, waiting: string): boolean =>
  task === undefined ? !resumed.includes(waiting) : task === waiting;

/** Leases a resume to one runtime until log time and the lease: the one named, else the oldest that nobody holds (P-2). */
export const claim = (inbox: Existing, action: Of<'akep.claim'>, { at }: Context): Decision<InboxEffect> => {
  const { resume, task, leaseSeconds } = action;
  if (resume !== undefined && resume > lastResume(inbox)) return refuse('not_found');
  const found = resume ?? oldestFree(inbox, task, at);
  if (found === undefined) return refuse('not_pending');
  const free = freeAt(inbox, found, at);
  if (free === undefined) return refuse('wrong_state');
  if (task !== undefined && free.task !== task) return refuse('invalid_target');
  const lease = free.status === 'leased' ? free.lease + 1 : 1;
  return accept({ type: 'inbox.resume-leased', ...told(inbox, found), lease, until: at + leaseSeconds * 1_000 });
};

const oldestFree = (inbox: Existing, task: string | undefined, at: number): number | undefined => {
  for (let number = inbox.firstOpen; number <= lastResume(inbox); number++) {
    const free = freeAt(inbox, number, at);
    if (free !== undefined && (task === undefined || free.task === task)) return number;
  }
  return undefined;
};

/** An open resume that nobody holds at log time. */
const freeAt = (inbox: Existing, number: number, at: number): ReturnType<typeof openResume> => {
  const resume = openResume(inbox, number);
  return resume?.status === 'leased' && resume.until > at ? undefined : resume;
};

/** Under the newest lease alone: whoever held it before has lost it (P-2). */
export const complete = (inbox: Existing, { resume, lease }: Of<'akep.complete'>): Decision<InboxEffect> => {
  if (resume > lastResume(inbox)) return refuse('not_found');
  const open = openResume(inbox, resume);
  if (open?.status !== 'leased') return refuse('wrong_state');
  if (open.lease !== lease) return refuse('changed');
  return accept({ type: 'inbox.resume-completed', ...told(inbox, resume), lease });
};

const told = (inbox: Existing, resume: number): Pick<Queued, 'resume' | 'event' | 'sequence' | 'task'> => {
  const { sequence, task } = openResume(inbox, resume)!;
  return { resume, event: eventAt(inbox, sequence)!.id, sequence, task };
};

/** Stored, then applied or rejected; never back. An event that is no longer kept is not found. */
export const acknowledge = (inbox: Existing, { event: id, status }: Of<'akep.ack'>): Decision<InboxEffect> => {
  const sequence = sequenceOf(inbox, id);
  const event = sequence === undefined ? undefined : eventAt(inbox, sequence);
  if (sequence === undefined || event === undefined) return refuse('not_found');
  if (event.status === status) return refuse('no_effect');
  const final = event.status === 'applied' || event.status === 'rejected';
  return final ? refuse('wrong_state') : accept({ type: 'inbox.event-acknowledged', event: id, sequence, status });
};
