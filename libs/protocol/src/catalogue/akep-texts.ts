import type { AkepActionName } from './akep.ts';
import type { ActionDefinition } from './types.ts';

const agent = 'Any active agent, in its own inbox.';

/** Who may do an action of AKEP, and its four sentences: what, when, when not, what next. */
export const akepTexts: { readonly [N in AkepActionName]: Pick<ActionDefinition, 'who' | 'description'> } = {
  'akep.subscribe': {
    who: agent,
    description: {
      what: 'States which events you take: types, filters, producers, delivery and what may resume your tasks.',
      when: 'Use it before producers send you anything; without a subscription nothing is taken.',
      whenNot: 'Not to change one that you have: revise it.',
      next: 'Issue a secret for each producer and hand it over.',
    },
  },
  'akep.revise-subscription': {
    who: agent,
    description: {
      what: 'Replaces what a subscription states, whole; later events are matched against the new revision.',
      when: 'Use it when you want other events, another delivery or other policies.',
      whenNot: 'Not for a secret: secrets are issued, rotated and retired by themselves.',
      next: 'Read the subscription to see its revision.',
    },
  },
  'akep.unsubscribe': {
    who: agent,
    description: {
      what: 'Ends a subscription; events that came stay, and with the last subscription all secrets are retired.',
      when: 'Use it when you want none of its events any more.',
      whenNot: 'Not to stop a failing address: it is disabled by itself and the inbox keeps its events.',
      next: 'Nothing follows; subscribe again at any time.',
    },
  },
  'akep.issue-secret': {
    who: agent,
    description: {
      what: 'Makes a secret with which one producer signs what it sends to you; the answer shows it once.',
      when: 'Use it once for each producer that you take events from.',
      whenNot: 'Not to replace one that is in use: rotate it, so that nothing is lost meanwhile.',
      next: 'Hand secret and key id to the producer.',
    },
  },
  'akep.rotate-secret': {
    who: agent,
    description: {
      what: 'Makes a new secret of a producer; those before it verify for the overlap still, then no more.',
      when: 'Use it from time to time, or when a secret may have gone astray (with an overlap of 0).',
      whenNot: 'Not for a producer that has no secret: issue one.',
      next: 'Hand the new secret to the producer before the overlap ends.',
    },
  },
  'akep.retire-secret': {
    who: agent,
    description: {
      what: 'Makes a secret verify nothing from now on.',
      when: 'Use it when a producer should send you nothing more, or a secret is known to others.',
      whenNot: 'Not to change to a new one without a gap: rotate it.',
      next: 'Issue a new secret if the producer is to go on.',
    },
  },
  'akep.resend': {
    who: agent,
    description: {
      what: 'Sends events to the address or topic of a subscription again, from the event you name on.',
      when: 'Use it when your receiver has lost events.',
      whenNot: 'Not to read them: replay gives you every event that is kept.',
      next: 'Expect events with the ids that you know already.',
    },
  },
  'akep.enable-endpoint': {
    who: agent,
    description: {
      what: 'Lets events go out again to an address that was disabled after repeated failure.',
      when: 'Use it when the receiver works again.',
      whenNot: 'Not before that: it would be disabled again.',
      next: 'Events go out from where delivery stood.',
    },
  },
  'akep.receive': {
    who: 'A producer that holds a secret of the agent.',
    description: {
      what: 'Stores a signed event in the inbox of every agent whose secret verifies it and whose subscription it matches.',
      when: 'Use it to say that knowledge is available.',
      whenNot: 'Not to command anything: what encodes a command is refused.',
      next: 'Send the same body again under the same id until the answer is final.',
    },
  },
  'akep.ack': {
    who: agent,
    description: {
      what: 'Says how far you are with an event: stored, then applied or rejected.',
      when: 'Use it once you have stored the event yourself, and again when you have dealt with it.',
      whenNot: 'Not before you have stored it: until then replay is what you rely on.',
      next: 'Go on with the next event.',
    },
  },
  'akep.wait': {
    who: agent,
    description: {
      what: 'Declares which events a task of yours waits for, in place of what it waited for before; one resume ends it.',
      when: 'Use it when a task stops to wait, with the cursor up to which it knows its events.',
      whenNot: 'Not for tasks that go on by themselves; with nothing listed the task waits no longer.',
      next: 'Claim the resume when one is queued.',
    },
  },
  'akep.claim': {
    who: agent,
    description: {
      what: 'Leases a queued resume to you: the one named, the oldest of a task, or the oldest of all.',
      when: 'Use it in the runtime that is going to resume the task.',
      whenNot: 'Not to look what is queued: the task state shows it.',
      next: 'Resume the task and complete the resume with the number of the lease before it ends.',
    },
  },
  'akep.complete': {
    who: agent,
    description: {
      what: 'Ends a resume that you hold, under the number of its lease.',
      when: 'Use it when the task has been resumed.',
      whenNot: 'Not when another runtime has claimed it after you: its lease counts.',
      next: 'Claim the next, or declare what the task waits for now.',
    },
  },
};
