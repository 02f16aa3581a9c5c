import { createHash } from 'node:crypto';
import { bindingOf, fingerprintOf } from '@kungfu/gateway';
import { SeededRandom } from '@kungfu/log-in-memory/simulated';
import { erase, InMemoryStore, PartitionState } from '@kungfu/owner';
import {
  actionCatalogue,
  agentKind,
  type Chain,
  decodeFactRecord,
  defaultLimits,
  emptyChain,
  type Fact,
  factsTopic,
  kinds,
  memoryKind,
  taskKind,
  threadKind,
  validity,
} from '@kungfu/protocol';
import { type Ended, send } from './client.ts';
import type { Cluster } from './cluster.ts';

/** No contract of the simulation allows more adoptions. */
export const taskAdoptionsMax = 2;

const erased = { agent: erase(agentKind), memory: erase(memoryKind), thread: erase(threadKind), task: erase(taskKind) };
type Fail = (what: string) => never;

/** Every promise that can be looked up once all is calm. Gives a hash of everything that happened: one seed, one trace. */
export const checkAll = async (cluster: Cluster, ended: readonly Ended[], fail: Fail): Promise<string> => {
  if (cluster.alarms.length > 0) fail(`an alarm: ${String(cluster.alarms[0])}`);
  const facts = await validFacts(cluster, fail);
  oneFactEach(facts, fail);
  projected(cluster, facts, fail);
  toldOutcomesHold(ended, facts, fail);
  await receiptsReplay(cluster, ended, fail);
  nothingOnTheInactive(cluster, fail);
  noEngagementTwice(facts, fail);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
};

/** [O1] [O5] [O6] Each partition is one valid chain, folds without contradiction, and gives what the living owners hold. */
const validFacts = async (cluster: Cluster, fail: Fail): Promise<readonly Fact[]> => {
  const facts: Fact[] = [];
  for (const kind of kinds) {
    const count = await cluster.log.partitions(factsTopic(kind));
    for (let partition = 0; partition < count; partition++) {
      const store = new InMemoryStore();
      const state = new PartitionState(erased[kind], store);
      let chain: Chain = emptyChain;
      const records = await cluster.log.read(
        { topic: factsTopic(kind), partition, offset: 0 },
        Number.MAX_SAFE_INTEGER,
      );
      for (const record of records) {
        const decoded = decodeFactRecord(record);
        const verdict = validity(chain, decoded);
        if (verdict.kind === 'gap') fail(`a gap in ${kind}/${partition}`);
        if (verdict.kind !== 'valid') continue;
        chain = verdict.chain;
        state.fold(decoded);
        if (decoded.type === 'fact') facts.push(decoded.fact);
      }
      state.commit({ next: records.length, chain, version: 1 });
      ownersAgree(cluster, `${kind}/${partition}`, store, fail);
    }
  }
  return facts;
};

const rowsOf = (store: InMemoryStore): string => JSON.stringify(store.keys('').map((key) => [key, store.get(key)]));

const ownersAgree = (cluster: Cluster, partition: string, replayed: InMemoryStore, fail: Fail): void => {
  for (const [name, { store, process }] of cluster.stores) {
    if (process.alive && name.endsWith(`/${partition}`) && rowsOf(store) !== rowsOf(replayed))
      fail(`[O6] ${name} is not what a replay gives: ${difference(store, replayed)}`);
  }
};

/** The heads, and the rows that differ. */
const difference = (store: InMemoryStore, replayed: InMemoryStore): string => {
  const keys = [...new Set([...store.keys(''), ...replayed.keys('')])].filter(
    (key) => JSON.stringify(store.get(key)) !== JSON.stringify(replayed.get(key)),
  );
  const rows = keys
    .slice(0, 5)
    .map((key) => `${key} ${JSON.stringify(store.get(key))} / ${JSON.stringify(replayed.get(key))}`);
  return [JSON.stringify(store.head()), JSON.stringify(replayed.head()), `${keys.length} rows differ`, ...rows].join(
    '\n',
  );
};

/** [O2] One fact an action, one a binding. */
const oneFactEach = (facts: readonly Fact[], fail: Fail): void => {
  const actions = new Set<string>();
  const bindings = new Set<string>();
  for (const { cause } of facts) {
    if (cause.kind !== 'action') continue;
    if (actions.has(cause.id)) fail(`[O2] two facts of ${cause.id}`);
    if (bindings.has(cause.binding)) fail(`[O2] two facts under ${cause.binding}`);
    actions.add(cause.id);
    bindings.add(cause.binding);
  }
};

/** Every valid fact has been projected, once. */
const projected = (cluster: Cluster, facts: readonly Fact[], fail: Fail): void => {
  const name = ({ object, revision }: Fact): string => `${object.kind}/${object.id}/${revision}`;
  const all = [...facts.map(name)].sort();
  const seen = [...cluster.database.facts.map(name)].sort();
  if (JSON.stringify(all) !== JSON.stringify(seen)) fail(`${seen.length} facts are projected of ${all.length}`);
};

/** [L3] What a client was told is so: done has its fact; refused has none under its fingerprint. */
const toldOutcomesHold = (ended: readonly Ended[], facts: readonly Fact[], fail: Fail): void => {
  const catalogue = actionCatalogue(defaultLimits);
  const fingerprints = new Map(
    facts.flatMap(({ cause }) => (cause.kind === 'action' ? [[cause.binding, cause.fingerprint] as const] : [])),
  );
  const doneBindings = new Set<string>();
  for (const { request, outcome } of ended) {
    if (outcome.kind === 'done')
      doneBindings.add(
        bindingOf(request.agent, request.action, request.key) +
          fingerprintOf(request, catalogue[request.action as 'thread.post']),
      );
  }
  for (const { request, outcome } of ended) {
    const binding = bindingOf(request.agent, request.action, request.key);
    const fingerprint = fingerprintOf(request, catalogue[request.action as 'thread.post']);
    const recorded = fingerprints.get(binding);
    if (outcome.kind === 'done' && recorded !== fingerprint)
      fail(`[L3-1] ${request.action} was done for ${request.key} but has no fact`);
    const twinDone = doneBindings.has(binding + fingerprint);
    if (outcome.kind === 'refused' && recorded === fingerprint && !twinDone)
      fail(`[O2] ${request.action} under ${request.key} was refused ${outcome.code} but has a fact`);
  }
};

/** [L3-1] [L3-7] The same request again gives the same bytes; parallel ones got equal receipts. */
const receiptsReplay = async (cluster: Cluster, ended: readonly Ended[], fail: Fail): Promise<void> => {
  const random = new SeededRandom(1);
  const done = ended.filter(({ outcome }) => outcome.kind === 'done');
  let left = done.length;
  for (const { request, outcome } of done) {
    void send(cluster, request, random).then((again) => {
      left -= 1;
      const [a, b] = [outcome, again.outcome];
      if (a.kind !== 'done' || b.kind !== 'done' || !Buffer.from(a.receipt).equals(Buffer.from(b.receipt)))
        fail(`[L3-1] the receipt of ${request.key} is not replayed`);
      if (b.kind === 'done' && (!b.replayed || b.secret !== undefined)) fail(`[L3-4] ${request.key} was done again`);
    });
  }
  if (!(await cluster.time.run(() => left === 0, 120_000))) fail('a replay never ends');
};

/** No membership, and so no pending response and no running assignment, is left on an agent that is deactivated. */
const nothingOnTheInactive = (cluster: Cluster, fail: Fail): void => {
  for (const [thread, state] of cluster.database.threads) {
    if (state.status === 'absent') continue;
    for (const agent of state.members.keys())
      if (cluster.database.statusOf(agent) === 'deactivated') fail(`[A-7] ${agent} is still a member of ${thread}`);
    if (state.status === 'open' && ![...state.members.values()].some(({ role }) => role === 'governor'))
      fail(`[T-13] ${thread} is open without a governor`);
    if (state.status === 'closed' && state.openResponses > 0)
      fail(`[T-60] responses are pending in ${thread}, which is closed`);
  }
};

const endings: ReadonlySet<string> = new Set([
  'engagement.adopted',
  'engagement.rejected',
  'engagement.undecided',
  'engagement.dropped',
  'engagement.timed-out',
]);

/** [K-14] [K-15] Each engagement ends at most once, and no Task is adopted more often than its contracts allow. */
const noEngagementTwice = (facts: readonly Fact[], fail: Fail): void => {
  const ended = new Set<string>();
  for (const effect of facts.flatMap(({ effects }) => effects)) {
    if (!('engagement' in effect) || !endings.has(effect.type)) continue;
    if (effect.type === 'engagement.adopted' && effect.adoptions > taskAdoptionsMax)
      fail(`[K-15] ${effect.adoptions} adoptions of a Task`);
    if (ended.has(effect.engagement)) fail(`[K-14] ${effect.engagement} ends twice`);
    ended.add(effect.engagement);
  }
};
