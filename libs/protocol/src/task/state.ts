import { append, type Chunks, countOf, replace } from '../chunks.ts';
import type { AgentId, EngagementId, Pin } from '../ids.ts';
import type { Audience, TaskEffect } from './effects.ts';

type Stated = Extract<TaskEffect, { type: 'contract.stated' }>;
/** The contract version that binds the next engagement, as far as deciders need it. */
export type Terms = Pick<
  Stated,
  'version' | 'deliverySeconds' | 'judgmentSeconds' | 'withoutJudgment' | 'judge' | 'eligibility' | 'maxAdoptions'
> & { readonly requiredInputs: readonly Pin[] };

/** What an engagement keeps of the version that it bound (K-5). */
type Bound = Pick<Terms, 'version' | 'judgmentSeconds' | 'withoutJudgment' | 'judge' | 'maxAdoptions'>;
/** An engagement that has not ended. Times are log time in milliseconds. */
export type Live = Bound & {
  readonly engagement: EngagementId;
  readonly number: number;
  readonly agent: AgentId;
} & (
    | { readonly status: 'taken'; readonly deliverBy: number }
    | { readonly status: 'delivered'; readonly judgeBy: number }
  );
/** What is still to be known of an engagement that has ended: whose it was, and whether a deadline ended it. */
export type Ended = {
  readonly engagement: EngagementId;
  readonly agent: AgentId;
  readonly judge: AgentId;
  readonly byDeadline: boolean;
};

export type Existing = {
  readonly status: 'open';
  readonly author: AgentId;
  readonly audience: Audience;
  readonly paused: boolean;
  readonly terms: Terms;
  readonly adoptions: number;
  /** Null while it is live. */
  readonly engagements: Chunks<Ended | null>;
  /** In the order of their numbers. */
  readonly live: ReadonlyMap<EngagementId, Live>;
};
/** `created` stands between the two effects that one creation always has. */
export type TaskState =
  | { readonly status: 'absent' }
  | { readonly status: 'created'; readonly author: AgentId; readonly audience: Audience }
  | Existing;

type Of<T extends TaskEffect['type']> = Extract<TaskEffect, { type: T }>;

export const evolve = (state: TaskState, effect: TaskEffect): TaskState => {
  switch (effect.type) {
    case 'task.created':
      return { status: 'created', author: effect.author, audience: effect.audience };
    case 'contract.stated':
      return stated(state, effect);
    case 'task.paused':
      return { ...existing(state), paused: true };
    case 'task.resumed':
      return { ...existing(state), paused: false };
    case 'engagement.confirmed':
      return confirmed(existing(state), effect);
    case 'engagement.delivered':
      return delivered(existing(state), effect);
    case 'engagement.adopted':
      return { ...ended(existing(state), effect, effect.by === 'deadline'), adoptions: effect.adoptions };
    case 'engagement.rejected':
    case 'engagement.dropped':
      return ended(existing(state), effect, false);
    case 'engagement.undecided':
    case 'engagement.timed-out':
      return ended(existing(state), effect, true);
  }
};

const existing = (state: TaskState): Existing => {
  if (state.status !== 'open') throw new Error(`a fact on a Task that is ${state.status}`);
  return state;
};

const stated = (state: TaskState, contract: Of<'contract.stated'>): Existing => {
  if (state.status === 'absent') throw new Error('a contract of a Task that is absent');
  const terms = termsOf(contract);
  if (state.status === 'open') return { ...state, terms };
  const { author, audience } = state;
  return { status: 'open', author, audience, paused: false, terms, adoptions: 0, engagements: [], live: new Map() };
};

const termsOf = ({
  version,
  requiredInputs,
  deliverySeconds,
  judgmentSeconds,
  withoutJudgment,
  judge,
  eligibility,
  maxAdoptions,
}: Stated): Terms => ({
  version,
  requiredInputs,
  deliverySeconds,
  judgmentSeconds,
  withoutJudgment,
  judge,
  eligibility,
  ...(maxAdoptions === undefined ? {} : { maxAdoptions }),
});

const confirmed = (task: Existing, effect: Of<'engagement.confirmed'>): Existing => {
  const { engagement, number, agent, judge, version, deliverBy } = effect;
  const { judgmentSeconds, withoutJudgment, maxAdoptions } = task.terms;
  const bound = {
    version,
    judge,
    judgmentSeconds,
    withoutJudgment,
    ...(maxAdoptions === undefined ? {} : { maxAdoptions }),
  };
  const live: Live = { engagement, number, agent, ...bound, status: 'taken', deliverBy };
  return {
    ...task,
    engagements: append(task.engagements, null),
    live: new Map(task.live).set(engagement, live),
  };
};

const delivered = (task: Existing, { engagement, judgeBy }: Of<'engagement.delivered'>): Existing => {
  const live = liveOf(task, engagement);
  if (live.status !== 'taken') throw new Error(`a second delivery of ${engagement}`);
  const { deliverBy: _, ...rest } = live;
  return { ...task, live: new Map(task.live).set(engagement, { ...rest, status: 'delivered', judgeBy }) };
};

const liveOf = (task: Existing, engagement: EngagementId): Live => {
  const live = task.live.get(engagement);
  if (live === undefined) throw new Error(`a fact on ${engagement}, which is not open`);
  return live;
};

const ended = (
  task: Existing,
  { engagement }: { readonly engagement: EngagementId },
  byDeadline: boolean,
): Existing => {
  const { number, agent, judge } = liveOf(task, engagement);
  const live = new Map(task.live);
  live.delete(engagement);
  return { ...task, live, engagements: replace(task.engagements, number, { engagement, agent, judge, byDeadline }) };
};

// Questions about the state that deciders ask.

/** An engagement, open or ended; ended ones are looked through, which only actions on an engagement need. */
export const engagementOf = (task: Existing, engagement: EngagementId): Live | Ended | undefined =>
  task.live.get(engagement) ??
  task.engagements.flat().find((one): one is Ended => one !== null && one.engagement === engagement);
export const openOf = (task: Existing, agent: AgentId): Live | undefined =>
  [...task.live.values()].find((live) => live.agent === agent);
export const nextNumber = (task: Existing): number => countOf(task.engagements) + 1;
/** The agent judges deliveries under the contract of now, or one that it still has to judge (K-7). */
export const judges = (task: Existing, agent: AgentId): boolean =>
  task.terms.judge === agent || [...task.live.values()].some(({ judge }) => judge === agent);
export const limitReached = (adoptions: number, { maxAdoptions }: Pick<Terms, 'maxAdoptions'>): boolean =>
  maxAdoptions !== undefined && adoptions >= maxAdoptions;

/** Whether this agent may learn that the Task exists: anyone of an open one; else author, named agents and judges (V-7, V-8). */
export const knows = (task: Existing, agent: AgentId): boolean =>
  isNamed(task, agent) ||
  agent === task.author ||
  judges(task, agent) ||
  task.engagements.flat().some((one) => one?.judge === agent);

/** Belongs to the audience (K-6). */
export const isNamed = ({ audience }: Existing, agent: AgentId): boolean =>
  audience.kind === 'open' || audience.agents.includes(agent);

// The state in pieces for a store.

type Core = Omit<Existing, 'live' | 'engagements'> & { readonly live: readonly Live[] };

export const pieces = (state: TaskState): ReadonlyMap<string, unknown> => {
  if (state.status === 'absent') return new Map();
  if (state.status === 'created') return new Map([['core', state]]);
  const { live, engagements, ...rest } = state;
  const core: Core = { ...rest, live: [...live.values()] };
  return new Map<string, unknown>([
    ['core', core],
    ...engagements.map((chunk, i) => [`engagements.${i}`, chunk] as const),
  ]);
};

export const fromPieces = (all: ReadonlyMap<string, unknown>): TaskState => {
  const core = all.get('core') as Core | Extract<TaskState, { status: 'created' }> | undefined;
  if (core === undefined) return { status: 'absent' };
  if (core.status === 'created') return core;
  const engagements: (readonly (Ended | null)[])[] = [];
  for (let i = 0; all.has(`engagements.${i}`); i++)
    engagements.push(all.get(`engagements.${i}`) as readonly (Ended | null)[]);
  return { ...core, engagements, live: new Map(core.live.map((live) => [live.engagement, live])) };
};
