import type { AccountEffect, AgentEffect } from '@kungfu/protocol';
import { keyOf } from './changes.ts';
import type { Folding } from './folding.ts';

/** What effects on accounts, and account walks in partitions, change (§4, engine.md §6). */
export const foldAgent = (folding: Folding, effect: AgentEffect | AccountEffect) => {
  const { plan, fact } = folding;
  const { id } = fact.object;
  const { at } = fact;
  switch (effect.type) {
    case 'agent.created':
      return plan.agents.make(id, {
        id,
        status: 'active',
        walk: 0,
        labels: [],
        createdAt: at,
        revision: fact.revision,
      });
    case 'agent.labels-set':
      return plan.agents.change(id, { id }, { labels: effect.labels });
    case 'agent.key-issued':
      return plan.keys.make(effect.key, { id: effect.key, agent: id, hash: effect.hash, issuedAt: at });
    case 'agent.key-revoked':
      return plan.keys.change(effect.key, { id: effect.key }, { revokedAt: at });
    case 'agent.deactivating':
      return beginWalk(folding, effect, 'deactivate');
    case 'agent.activating':
      return beginWalk(folding, effect, 'activate');
    case 'agent.deactivated':
      return plan.agents.change(id, { id }, { status: 'deactivated' });
    case 'agent.activated':
      return plan.agents.change(id, { id }, { status: 'active' });
    case 'account.inactive':
    case 'account.active':
      return;
    case 'account.applied':
      return applied(folding, effect);
  }
};

type Begin = Extract<AgentEffect, { type: 'agent.deactivating' | 'agent.activating' }>;
const beginWalk = ({ plan, fact }: Folding, effect: Begin, change: 'deactivate' | 'activate'): void => {
  const agent = fact.object.id;
  const { walk } = effect;
  plan.agents.change(agent, { id: agent }, { status: change === 'deactivate' ? 'deactivating' : 'activating', walk });
  for (const { kind, partition } of effect.partitions)
    plan.walks.make(keyOf(agent, walk, kind, partition), { agent, walk, change, kind, partition });
};

const applied = (
  { plan, kind, partition }: Folding,
  { agent, walk }: Extract<AccountEffect, { type: 'account.applied' }>,
): void => plan.walksApplied.make(keyOf(agent, walk, kind, partition), { agent, walk, kind, partition });
