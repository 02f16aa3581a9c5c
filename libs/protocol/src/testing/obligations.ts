import type { TaskEffect } from '../task/effects.ts';
import type { ThreadEffect } from '../thread/effects.ts';

/** An open obligation, as the facts alone tell it (§8, O-1). */
export type Obligation = {
  readonly duty: 'respond' | 'deliver' | 'judge';
  readonly of: number;
  readonly agent: string;
};

/**
 * Keeps the obligations of one thread by the catalogue of §8, apart from the thread's own state. Throws when one begins
 * twice or ends twice (L5-2).
 */
export class Ledger {
  readonly #open = new Map<string, Obligation>();
  readonly #over = new Set<string>();
  readonly #roles = new Map<string, string>();
  #closed = false;

  get open(): readonly Obligation[] {
    return [...this.#open.values()];
  }
  /** The current members with their roles. */
  get roles(): ReadonlyMap<string, string> {
    return this.#roles;
  }
  get closed(): boolean {
    return this.#closed;
  }

  fold(effect: ThreadEffect): void {
    switch (effect.type) {
      case 'thread.created':
        this.#roles.set(effect.creator, 'governor');
        return;
      case 'member.joined':
        this.#join(effect.agent, effect.role);
        return;
      case 'member.role-set':
        this.#roles.set(effect.agent, effect.role);
        return;
      case 'membership.ended':
        this.#roles.delete(effect.agent);
        return;
      case 'thread.closed':
        this.#close();
        return;
      case 'response.owed':
        this.#begin({ duty: 'respond', of: effect.entry, agent: effect.agent });
        return;
      case 'response.ended':
        this.#end('respond', effect.entry, effect.agent);
        return;
      case 'assignment.taken':
        this.#begin({ duty: 'deliver', of: effect.assignment, agent: effect.taker });
        return;
      case 'assignment.delivered':
        this.#end('deliver', effect.assignment);
        this.#begin({ duty: 'judge', of: effect.assignment, agent: effect.judge });
        return;
      case 'assignment.dropped':
      case 'assignment.timed-out':
        this.#end('deliver', effect.assignment);
        this.#finish(effect.assignment);
        return;
      case 'assignment.voided':
        if (effect.taker !== undefined) this.#end('deliver', effect.assignment, effect.taker);
        this.#finish(effect.assignment);
        return;
      case 'assignment.adopted':
      case 'assignment.rejected':
        this.#end('judge', effect.assignment);
        this.#finish(effect.assignment);
        return;
      case 'assignment.undecided':
        if (!this.#over.has(`forfeited ${effect.assignment}`)) this.#end('judge', effect.assignment);
        this.#finish(effect.assignment);
        return;
      case 'judgment.forfeited':
        this.#over.add(`forfeited ${effect.assignment}`);
        this.#end('judge', effect.assignment, effect.agent);
        return;
      case 'grant.issued':
      case 'grant.voided':
      case 'entry.posted':
      case 'memory.created':
      case 'assignment.created':
        return;
    }
  }

  #join(agent: string, role: string): void {
    if (this.#roles.has(agent)) throw new Error(`${agent} joins twice`);
    this.#roles.set(agent, role);
  }

  #close(): void {
    if (this.#closed) throw new Error('the thread closes twice');
    this.#closed = true;
  }

  #begin(obligation: Obligation): void {
    const key = keyOf(obligation.duty, obligation.of, obligation.agent);
    if (this.#open.has(key) || this.#over.has(key)) throw new Error(`${key} begins twice`);
    this.#open.set(key, obligation);
  }

  #end(duty: Obligation['duty'], of: number, agent?: string): void {
    const key = keyOf(duty, of, agent);
    const ended = this.#open.get(key);
    if (ended === undefined || (agent !== undefined && ended.agent !== agent))
      throw new Error(`${key} ends without being open`);
    this.#open.delete(key);
    this.#over.add(key);
  }

  /** An assignment has one terminal state, and once it is reached nothing of it is owed (T-50). */
  #finish(assignment: number): void {
    const key = `terminal ${assignment}`;
    if (this.#over.has(key)) throw new Error(`assignment ${assignment} ends twice`);
    if (this.open.some(({ duty, of }) => duty !== 'respond' && of === assignment))
      throw new Error(`assignment ${assignment} ends with a duty open`);
    this.#over.add(key);
  }
}

/** One entry has many responders; an assignment has one taker and one judge. */
const keyOf = (duty: Obligation['duty'], of: number, agent = ''): string =>
  duty === 'respond' ? `${duty} ${of} ${agent}` : `${duty} ${of}`;

/** An open obligation on a Task, as the facts alone tell it (§8, O-1). */
export type TaskObligation = {
  readonly duty: 'deliver' | 'judge';
  readonly of: string;
  readonly agent: string;
};

/**
 * Keeps the obligations of one Task by the catalogue of §8, apart from the Task's own state. Throws when one begins or ends
 * twice, an engagement ends twice, or an agent has two open ones (L5-2, K-9, K-14).
 */
export class TaskLedger {
  readonly #open = new Map<string, TaskObligation>();
  readonly #over = new Set<string>();
  readonly #engaged = new Map<string, string>();
  #versions = 0;
  #adoptions = 0;

  get open(): readonly TaskObligation[] {
    return [...this.#open.values()];
  }
  /** The agent of each open engagement. */
  get engaged(): ReadonlyMap<string, string> {
    return this.#engaged;
  }
  get adoptions(): number {
    return this.#adoptions;
  }
  /** How many engagements have ended. */
  get ended(): number {
    return this.#over.size;
  }

  fold(effect: TaskEffect): void {
    switch (effect.type) {
      case 'task.created':
      case 'task.paused':
      case 'task.resumed':
        return;
      case 'contract.stated':
        this.#versions += 1;
        if (effect.version !== this.#versions) throw new Error(`version ${effect.version} is out of order`);
        return;
      case 'engagement.confirmed':
        this.#engage(effect);
        return;
      case 'engagement.delivered':
        this.#end('deliver', effect.engagement);
        this.#open.set(effect.engagement, { duty: 'judge', of: effect.engagement, agent: effect.judge });
        return;
      case 'engagement.adopted':
        this.#adoptions += 1;
        if (effect.adoptions !== this.#adoptions) throw new Error(`adoption ${effect.adoptions} is out of order`);
        this.#finish('judge', effect.engagement);
        return;
      case 'engagement.rejected':
      case 'engagement.undecided':
        this.#finish('judge', effect.engagement);
        return;
      case 'engagement.dropped':
      case 'engagement.timed-out':
        this.#finish('deliver', effect.engagement);
        return;
    }
  }

  #engage({ engagement, agent, number }: Extract<TaskEffect, { type: 'engagement.confirmed' }>): void {
    if (number !== this.#over.size + this.#engaged.size + 1) throw new Error(`engagement ${number} is out of order`);
    if (this.#over.has(engagement) || this.#engaged.has(engagement)) throw new Error(`${engagement} begins twice`);
    if ([...this.#engaged.values()].includes(agent)) throw new Error(`${agent} has two open engagements`);
    this.#engaged.set(engagement, agent);
    this.#open.set(engagement, { duty: 'deliver', of: engagement, agent });
  }

  #end(duty: TaskObligation['duty'], engagement: string): void {
    if (this.#open.get(engagement)?.duty !== duty) throw new Error(`${duty} ${engagement} ends without being open`);
    this.#open.delete(engagement);
  }

  /** An engagement has one terminal fact (K-14). */
  #finish(duty: TaskObligation['duty'], engagement: string): void {
    this.#end(duty, engagement);
    this.#engaged.delete(engagement);
    this.#over.add(engagement);
  }
}
