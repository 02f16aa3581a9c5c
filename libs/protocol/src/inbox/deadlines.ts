import type { Fired } from '../kernel.ts';
import type { InboxEffect } from './effects.ts';
import { retired } from './secrets.ts';
import { type Event, type Existing, eventAt } from './state.ts';

/** An event that nobody has acknowledged is kept for seven days at least. */
const unacknowledgedSecondsMin = 604_800;
/** Retention ends with the hour, so that one fact ends that of many events. */
const stepMs = 3_600_000;
/** Events that one fact ends the retention of. */
const expiredMax = 1_000;

/** Secrets whose overlap has passed, and events whose retention has, in the order of due time (W-5, R-5). A lease needs no deadline. */
export const due = (inbox: Existing, at: number): readonly Fired<InboxEffect>[] =>
  [...overlaps(inbox, at), ...retentions(inbox, at)].sort((a, b) => a.dueAt - b.dueAt);

const overlaps = ({ secrets }: Existing, at: number): readonly Fired<InboxEffect>[] =>
  secrets.flatMap((secret) =>
    secret.status === 'retiring' && secret.until <= at ? [{ dueAt: secret.until, effects: [retired(secret)] }] : [],
  );

/** Events go in their order: one that has to stay keeps those after it. */
const retentions = (inbox: Existing, at: number): readonly Fired<InboxEffect>[] => {
  const fired: Fired<InboxEffect>[] = [];
  let [from, dueAt] = [inbox.expired + 1, 0];
  for (let sequence = from; ; sequence++) {
    const event = eventAt(inbox, sequence);
    const over = event !== undefined && expiresAt(event) <= at;
    if (sequence > from && (!over || sequence - from === expiredMax)) {
      fired.push({ dueAt, effects: [{ type: 'inbox.events-expired', from, upTo: sequence - 1 }] });
      from = sequence;
    }
    if (!over) return fired;
    dueAt = Math.max(dueAt, expiresAt(event));
  }
};

const expiresAt = ({ receivedAt, keptSeconds, status }: Event): number => {
  const seconds = status === 'unacknowledged' ? Math.max(keptSeconds, unacknowledgedSecondsMin) : keptSeconds;
  return Math.ceil((receivedAt + seconds * 1_000) / stepMs) * stepMs;
};
