import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from '@kungfu/protocol';
import { sha256 } from './identity.ts';
import { schemasInProcess } from './output-schema.ts';
import { type PrepareContext, prepare } from './prepare.ts';
import type { MemoryReference, References } from './tables.ts';

const id = <P extends string>(prefix: P, n: number): `${P}_${string}` => `${prefix}_${String(n).padStart(26, '0')}`;
const [ada, bob, eve] = [id('agent', 1), id('agent', 2), id('agent', 3)] as const;
const task = id('task', 1);
const content = { wanted: 'w', criteria: 'c' };

const memory = (author: string, more: Partial<MemoryReference> = {}): MemoryReference => ({
  author,
  status: 'valid',
  visibility: 'private',
  current: 3,
  hasVersion: true,
  ...more,
});
/** Ada’s own, Ada’s withdrawn one, a public and a private one of Bob’s. */
const memories: Readonly<Record<string, MemoryReference>> = {
  [id('memory', 1)]: memory(ada),
  [id('memory', 2)]: memory(ada, { status: 'withdrawn' }),
  [id('memory', 3)]: memory(bob, { visibility: 'public' }),
  [id('memory', 4)]: memory(bob),
};
const contextOf = (references: Partial<References> = {}, agent = ada): PrepareContext => ({
  agent,
  object: task,
  binding: sha256('binding'),
  random: { next: () => 0.5, hex: (bytes) => randomBytes(bytes).toString('hex') },
  references: {
    inactive: async () => [],
    memory: async (name) => memories[name],
    threadOfGrant: async () => undefined,
    assignmentOutput: async () => 'unknown',
    engagementOutput: async () => 'unknown',
    takeTarget: async () => undefined,
    labels: async () => [],
    mayKnowTask: async () => false,
    ...references,
  },
  schemas: schemasInProcess,
  limits: defaultLimits,
  walkPartitions: [],
});
const schema = { type: 'object', required: ['answer'], properties: { answer: { type: 'number' } } };

describe('preparing a contract', () => {
  it('[K-1] what is not stated has its default', async () => {
    const {
      payload,
      names,
      content: written,
    } = await prepare('task.create', { audience: 'open', content }, contextOf());
    expect(payload).toEqual({
      type: 'task.create',
      audience: { kind: 'open' },
      content: written[0]!.ref,
      structured: false,
      requiredInputs: [],
      informative: [],
      deliverySeconds: 86_400,
      judgmentSeconds: 86_400,
      withoutJudgment: 'undecided',
      judge: ada,
      eligibility: [],
      adoptedReaders: 'parties',
    });
    expect(names).toEqual([ada]);
  });

  it('[K-1] what is stated stands; [L3-8] sets are sorted and each member counts once', async () => {
    const { payload } = await prepare(
      'task.create',
      {
        audience: { restricted: [eve, bob, eve] },
        content: { ...content, outputSchema: schema },
        deliverySeconds: 60,
        judgmentSeconds: 120,
        withoutJudgment: 'adopted',
        judge: eve,
        eligibility: ['z', 'a', 'z'],
        maxAdoptions: 4,
        adoptedReaders: 'audience',
      },
      contextOf(),
    );
    expect(payload).toMatchObject({
      audience: { kind: 'restricted', agents: [bob, eve] },
      structured: true,
      deliverySeconds: 60,
      judgmentSeconds: 120,
      withoutJudgment: 'adopted',
      judge: eve,
      eligibility: ['a', 'z'],
      maxAdoptions: 4,
      adoptedReaders: 'audience',
    });
  });

  it('[K-3] [K-6] [A-7] judge and named agents are names to be looked up: who is no active agent is stamped', async () => {
    const audience = { restricted: [eve, bob] };
    const created = await prepare('task.create', { audience, content, judge: id('agent', 99) }, contextOf());
    expect([...created.names].sort()).toEqual([bob, eve, id('agent', 99)]);
    const revised = await prepare('task.revise', { content, judge: bob }, contextOf());
    expect(revised.names).toEqual([bob]);
    expect(revised.payload).toMatchObject({ type: 'task.revise', judge: bob });
    expect(revised.payload).not.toHaveProperty('audience');
  });

  it('[K-2] a required input is a pinned version of the author’s own valid Memory', async () => {
    const required = async (...requiredInputs: string[]) =>
      (await prepare('task.create', { audience: 'open', content, requiredInputs }, contextOf())).payload;
    expect(await required(id('memory', 1), `${id('memory', 1)}/versions/2`)).toMatchObject({
      requiredInputs: [
        { id: id('memory', 1), version: 3 },
        { id: id('memory', 1), version: 2 },
      ],
    });
    expect(await required(id('memory', 1))).not.toHaveProperty('unusable');
    // Public, but another's; private; unknown.
    for (const other of [3, 4, 9])
      expect(await required(id('memory', other))).toMatchObject({ requiredInputs: [], unusable: 'invalid_target' });
    expect(await required(id('memory', 2))).toMatchObject({ requiredInputs: [], unusable: 'memory_withdrawn' });
  });

  it('[K-2] [M-10] other material may be another’s public Memory at its current version', async () => {
    const informative = async (...names: string[]) =>
      (await prepare('task.revise', { content, informative: names }, contextOf())).payload;
    expect(await informative(id('memory', 3), id('memory', 1))).toMatchObject({
      informative: [
        { id: id('memory', 3), version: 3 },
        { id: id('memory', 1), version: 3 },
      ],
      requiredInputs: [],
    });
    expect(await informative(`${id('memory', 3)}/versions/2`)).toMatchObject({ unusable: 'invalid_target' });
    expect(await informative(id('memory', 4))).toMatchObject({ informative: [], unusable: 'invalid_target' });
    expect(await informative(id('memory', 2))).toMatchObject({ unusable: 'memory_withdrawn' });
  });

  it('[L6-1] what was written stands in the content alone', async () => {
    const words = 'words of a participant';
    for (const prepared of [
      await prepare('task.create', { audience: 'open', content: { wanted: words, criteria: words } }, contextOf()),
      await prepare('engagement.reject', { engagement: id('engagement', 1), content: { reason: words } }, contextOf()),
    ]) {
      expect(JSON.stringify(prepared.payload)).not.toContain(words);
      expect(Buffer.from(prepared.content[0]!.value).toString()).toContain(words);
    }
  });
});

describe('preparing to take', () => {
  const target = { author: ada, version: 2, output: 'free' } as const;
  const known = (more: Partial<References> = {}) =>
    contextOf({ takeTarget: async () => target, labels: async () => ['a', 'z'], ...more }, bob);

  it('[K-4] [K-7] labels go with it, and its author is looked up', async () => {
    const { payload, names } = await prepare('task.take', {}, known());
    expect(payload).toEqual({
      type: 'task.take',
      engagement: expect.stringMatching(/^engagement_/),
      labels: ['a', 'z'],
    });
    expect(names).toEqual([ada]);
    // The same request has the same id (L3-1).
    expect((await prepare('task.take', {}, known())).payload).toEqual(payload);
  });

  it('[K-8] the version that the agent read goes with it, whatever counts now', async () => {
    expect((await prepare('task.take', { version: 1 }, known())).payload).toMatchObject({ version: 1 });
  });

  it('[O-13] what it redoes is named by its id', async () => {
    const redoes = `${task}/engagements/${id('engagement', 7)}`;
    expect((await prepare('task.take', { redoes }, known())).payload).toMatchObject({ redoes: id('engagement', 7) });
  });

  it('[K-10] with a delivery: the version that it was checked against goes with it', async () => {
    const delivery = { content: { payload: { answer: 42 } } };
    const { payload, content: written } = await prepare('task.take', { delivery }, known());
    expect(payload).toMatchObject({ version: 2, delivery: { memories: [], content: written[0]!.ref } });
    expect(payload).not.toHaveProperty('delivery.unusable');
  });

  it('[K-5] a payload made for another version than counts, or for a Task not known yet, is for none: changed', async () => {
    const delivery = { content: { payload: 1 } };
    expect((await prepare('task.take', { version: 1, delivery }, known())).payload).toMatchObject({
      version: 1,
      delivery: { unusable: 'changed' },
    });
    const unknown = await prepare('task.take', { delivery }, contextOf({}, bob));
    expect(unknown.payload).toMatchObject({ delivery: { unusable: 'changed' } });
    expect(unknown.payload).not.toHaveProperty('version');
    expect(unknown.names).toEqual([]);
  });

  it('[K-5] [T-44] a payload that misses the structure of the bound version is told so, with the places', async () => {
    const context = known({ takeTarget: async () => ({ ...target, output: { schema } }) });
    const bad = await prepare('task.take', { delivery: { content: { payload: {} } } }, context);
    expect(bad.payload).toMatchObject({ version: 2, delivery: { unusable: 'schema_mismatch' } });
    expect(bad.errors?.[0]?.pointer).toMatch(/^\/delivery\/content\/payload/);
    const good = await prepare('task.take', { delivery: { content: { payload: { answer: 1 } } } }, context);
    expect(good.payload).not.toHaveProperty('delivery.unusable');
    expect(good.errors).toBeUndefined();
  });
});

describe('preparing to deliver', () => {
  const engagement = id('engagement', 1);
  const deliver = (delivery: object, output: 'free' | 'unknown' | { schema: unknown } = 'free') => {
    const asked: string[][] = [];
    const engagementOutput: References['engagementOutput'] = async (...what) => {
      asked.push(what);
      return output;
    };
    return prepare('engagement.deliver', { engagement, delivery } as never, contextOf({ engagementOutput })).then(
      (prepared) => ({ ...prepared, asked }),
    );
  };

  it('[K-5] [K-10] is checked against what this engagement of this Task binds', async () => {
    const { payload, asked } = await deliver({ content: { payload: { answer: 1 } } }, { schema });
    expect(asked).toEqual([[task, engagement]]);
    expect(payload).toMatchObject({ type: 'engagement.deliver', engagement, delivery: { memories: [] } });
    expect((await deliver({ content: { payload: 'no' } }, { schema })).payload).toMatchObject({
      delivery: { unusable: 'schema_mismatch' },
    });
    expect((await deliver({ memories: [id('memory', 1)] }, { schema })).errors).toMatchObject([
      { pointer: '/delivery/content', keyword: 'required' },
    ]);
  });

  it('[K-5] an engagement that is not known yet: changed', async () => {
    expect((await deliver({ content: { payload: 1 } }, 'unknown')).payload).toMatchObject({
      delivery: { unusable: 'changed' },
    });
  });

  it('[K-10] Memories are the deliverer’s own, pinned', async () => {
    expect((await deliver({ memories: [id('memory', 1)] })).payload).toMatchObject({
      delivery: { memories: [{ id: id('memory', 1), version: 3 }] },
    });
    expect((await deliver({ memories: [id('memory', 3)] })).payload).toMatchObject({
      delivery: { memories: [], unusable: 'invalid_target' },
    });
    expect((await deliver({ memories: [id('memory', 2)] })).payload).toMatchObject({
      delivery: { unusable: 'memory_withdrawn' },
    });
  });

  it.each(['engagement.drop', 'engagement.adopt'] as const)('%s is structure alone', async (action) => {
    expect(await prepare(action, { engagement }, contextOf())).toEqual({
      payload: { type: action, engagement },
      content: [],
      names: [],
    });
  });
  it.each(['task.pause', 'task.resume'] as const)('%s is structure alone', async (action) => {
    expect(await prepare(action, {}, contextOf())).toEqual({ payload: { type: action }, content: [], names: [] });
  });
});
