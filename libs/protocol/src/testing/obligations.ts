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
