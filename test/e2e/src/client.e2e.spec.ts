import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Kungfu } from '@kungfu/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accepted, administrationOf, all, found, makeParty, type Party } from './client/parties.ts';
import { type System, startStandalone } from './index.ts';

const startMsMax = 120_000;
const exampleMsMax = 60_000;
const run = promisify(execFile);
const examples = fileURLToPath(new URL('../../../libs/client/examples/', import.meta.url));

describe('the client', () => {
  let system: System;
  let ada: Party;
  let bob: Party;
  beforeAll(async () => {
    system = await startStandalone();
    [ada, bob] = [await makeParty(system), await makeParty(system)];
  }, startMsMax);
  afterAll(() => system?.stop(), startMsMax);

  /** A thread of Ada's that Bob is in. */
  const together = async (): Promise<string> => {
    const { receipt, secret = '' } = await accepted(ada.kungfu.thread.create({ grant: { role: 'speaker' } }));
    await accepted(bob.kungfu.thread.join({ secret }));
    return receipt.object;
  };
  /** What somebody owes on an object, as `obligation ref`. */
  const owes = async ({ kungfu }: Party, object: string): Promise<readonly string[]> =>
    (await all(kungfu.turn()))
      .filter(({ ref }) => ref.startsWith(object))
      .map(({ obligation, ref }) => `${obligation} ${ref}`);

  it('[O-1] [O-6] tells the story of a thread: asks, replies, assigns, takes, delivers, judges, closes', async () => {
    const thread = await together();
    const asked = await accepted(ada.kungfu.thread.post(thread, { content: { body: 'Who writes?' }, ask: [bob.id] }));
    expect(await owes(bob, thread)).toEqual([`respond ${thread}/entries/1`]);
    const replyTo = asked.receipt.ref;
    await accepted(bob.kungfu.thread.post(replyTo, { content: { body: 'I do.' }, replyTo }));
    expect([await owes(ada, thread), await owes(bob, thread)]).toEqual([[`respond ${thread}/entries/2`], []]);
    await accepted(ada.kungfu.thread.handle({ thread, entry: 2 }, { content: { note: 'Good.' } }));

    const outputSchema = { type: 'object', required: ['lines'] };
    const content = { wanted: 'A changelog.', criteria: 'It is whole.', outputSchema };
    const assign = { to: bob.id, content, deliverySeconds: 3_600 };
    await accepted(ada.kungfu.thread.post({ thread }, { content: { body: 'Here.' }, ask: [], assign }));
    const opportunities = await found(bob.kungfu.waitForOpportunities());
    const ref = opportunities.items.find((item) => item.thread === thread)!.ref;
    await accepted(bob.kungfu.assignment.take(ref));
    const missed = await bob.kungfu.assignment.deliver(ref, { delivery: { content: { payload: {} } } });
    expect(missed).toMatchObject({ ok: false, refusal: { code: 'schema_mismatch', nextStep: 'retry' } });
    await accepted(bob.kungfu.assignment.deliver(ref, { delivery: { content: { payload: { lines: ['One.'] } } } }));
    expect(await owes(ada, thread)).toEqual([`judge ${ref}`]);
    const assignment = await found(ada.kungfu.open(ref as `thread_${string}/assignments/${string}`));
    expect(assignment).toMatchObject({ status: 'delivered', delivery: { content: { payload: { lines: ['One.'] } } } });
    expect(assignment.available.map(({ action }) => action)).toEqual(['assignment.adopt', 'assignment.reject']);
    await accepted(ada.kungfu.assignment.reject(ref, { content: { reason: 'One is too few.' } }));
    expect(await bob.kungfu.thread.assignment(ref)).toMatchObject({
      ok: true,
      found: { status: 'rejected', judgment: { content: { reason: 'One is too few.' } } },
    });

    await accepted(ada.kungfu.thread.close(thread));
    const late = await bob.kungfu.thread.post(thread, { content: { body: 'And?' } });
    expect(late).toMatchObject({ ok: false, refusal: { code: 'thread_closed', nextStep: 'stop' } });
    expect(await found(bob.kungfu.open(thread))).toMatchObject({ status: 'closed', members: { count: 2 }, live: [] });
  });

  it('[K-9] [K-11] tells the story of a Task: offers, takes, delivers, rejects, redoes, adopts', async () => {
    const input = await accepted(ada.kungfu.memory.create({ content: { body: 'Tasks are new.' } }));
    const contract = {
      content: { title: 'A title', wanted: 'A title for the release.', criteria: 'It names what is new.' },
      requiredInputs: [input.receipt.ref],
      maxAdoptions: 1,
    };
    const offered = await accepted(ada.kungfu.task.create({ ...contract, audience: { restricted: [bob.id] } }));
    const task = offered.receipt.object;
    const own = await ada.kungfu.task.take(task);
    expect(own).toMatchObject({ ok: false, refusal: { code: 'own_task' } });
    expect((await all(bob.kungfu.opportunities())).map(({ ref }) => ref)).toContain(task);
    expect(await bob.kungfu.memory.version(input.receipt.ref)).toMatchObject({
      ok: false,
      refusal: { code: 'not_found' },
    });

    const { receipt } = await accepted(bob.kungfu.task.take(task, { version: 1 }));
    expect(receipt.inputs).toEqual([input.receipt.ref]);
    expect(await bob.kungfu.content(input.receipt.ref).text()).toEqual({ ok: true, found: 'Tasks are new.' });
    await accepted(bob.kungfu.engagement.deliver(receipt.ref, { delivery: { content: { payload: '3.0' } } }));
    await accepted(ada.kungfu.engagement.reject(receipt.ref, { content: { reason: 'It names nothing.' } }));

    const delivery = { content: { payload: '3.0: Tasks' } };
    const again = await accepted(bob.kungfu.task.take({ task }, { redoes: receipt.ref, delivery }));
    const { ref } = again.receipt;
    expect(await owes(ada, task)).toEqual([`judge ${ref}`]);
    expect(await ada.kungfu.content(ref).text()).toEqual({ ok: true, found: '"3.0: Tasks"' });
    await accepted(ada.kungfu.engagement.adopt(ref));
    const engagements = await all(ada.kungfu.task.engagements(task, { limit: 1 }));
    expect(engagements.map(({ status }) => status)).toEqual(['rejected', 'adopted']);
    const set = await found(ada.kungfu.open(task as `task_${string}`));
    expect(set).toMatchObject({ roles: ['author', 'judge'], adoptions: 1, contract: { maxAdoptions: 1 } });
  });

  it('[L3-1] does a thing once, however often it is asked for and whatever dies in between', async () => {
    const thread = await together();
    const posted = await accepted(ada.kungfu.thread.post(thread, { content: { body: 'Once.' } }, { key: 'once' }));
    expect(posted).toMatchObject({ key: 'once', replayed: false });
    await system.kill('standalone');
    const over = ada.kungfu.thread.post(thread, { content: { body: 'Over the death of the service.' } });
    await system.start('standalone');
    expect(await accepted(over)).toMatchObject({ replayed: false });
    const again = await accepted(ada.kungfu.thread.post(thread, { content: { body: 'Once.' } }, { key: 'once' }));
    expect(again).toMatchObject({ key: 'once', replayed: true, receipt: posted.receipt });
    expect(await found(ada.kungfu.receipt('once', { action: 'thread.post' }))).toEqual({ receipt: posted.receipt });
    const other = await ada.kungfu.thread.post(thread, { content: { body: 'Twice.' } }, { key: 'once' });
    expect(other).toMatchObject({ ok: false, refusal: { code: 'idempotency_conflict' } });
    const entries = await all(ada.kungfu.thread.entries(thread, { limit: 1 }));
    expect(entries.map(({ content }) => content?.body)).toEqual(['Once.', 'Over the death of the service.']);
  }, 120_000);

  it('[O-1] waits for the turn until there is something in it, and then for another one', async () => {
    const cleo = await makeParty(system);
    const { receipt, secret = '' } = await accepted(ada.kungfu.thread.create({ grant: {} }));
    const thread = receipt.object;
    await accepted(cleo.kungfu.thread.join({ secret }));
    const first = cleo.kungfu.waitForTurn();
    await accepted(ada.kungfu.thread.post(thread, { content: { body: 'One?' } }));
    const { etag, items } = await found(first);
    expect(items.map(({ ref, from }) => [ref, from])).toEqual([[`${thread}/entries/1`, ada.id]]);
    const second = cleo.kungfu.waitForTurn({ since: etag });
    await accepted(ada.kungfu.thread.post(thread, { content: { body: 'Two?' } }));
    expect((await found(second)).items.map(({ ref }) => ref)).toEqual([`${thread}/entries/1`, `${thread}/entries/2`]);
  });

  it('[O-7] reads long text whole, in pieces', async () => {
    const body = 'Grüße, 世界! '.repeat(5_000);
    const { receipt } = await accepted(ada.kungfu.memory.create({ content: { body } }));
    expect(await ada.kungfu.content(receipt.ref, { length: 10_001 }).text()).toEqual({ ok: true, found: body });
    expect(await bob.kungfu.content(receipt.ref).text()).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
  });

  it('[A-1] administers accounts', async () => {
    const administration = administrationOf(system);
    const dora = await makeParty(system);
    const labels = ['writer'];
    await accepted(administration.agent.setLabels(dora.id, { labels }));
    const issued = await accepted(administration.agent.issueKey(dora.id));
    expect(await found(new Kungfu({ url: system.anyone.origin, key: issued.secret! }).me())).toMatchObject({ labels });
    await accepted(administration.agent.revokeKey({ agent: dora.id, key: issued.receipt.key! }));
    expect(await new Kungfu({ url: system.anyone.origin, key: issued.secret! }).me()).toMatchObject({
      ok: false,
      refusal: { code: 'unauthenticated', nextStep: 'stop' },
    });
    await accepted(administration.agent.deactivate(dora.id));
    expect(await dora.kungfu.memory.create({ content: { body: 'x' } })).toMatchObject({
      ok: false,
      refusal: { code: 'agent_inactive' },
    });
    const inactive = await all(administration.agents({ status: 'deactivated', limit: 1 }));
    expect(inactive.map(({ agent }) => agent)).toContain(dora.id);
  });

  it.each(readdirSync(examples).filter((name) => name.endsWith('.ts')))(
    'the example %s does what it says',
    async (example) => {
      const [eve, fay] = [await makeParty(system), await makeParty(system)];
      const env = {
        ...process.env,
        NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
        KUNGFU_URL: system.anyone.origin,
        KUNGFU_ADMIN_URL: system.administration.origin,
        KUNGFU_ADMIN_TOKEN: system.adminToken,
        ADA: eve.secret,
        BOB: fay.secret,
      };
      const { stdout } = await run(process.execPath, [join(examples, example)], { env, timeout: exampleMsMax });
      expect(stdout).toMatch(said[example] ?? /./);
    },
    2 * exampleMsMax,
  );
});

/** What an example says when all of it worked. */
const said: Readonly<Record<string, RegExp>> = {
  'administration.ts': /^made agent_\S+ with its key\nactive \[ 'writer' \] 1\ndeactivated\nit was already\n$/,
  'ask-and-answer.ts': /answered thread_\S+\/entries\/1 in thread_\S+\/entries\/2\n.*changelog\?\n.*I do\.\n$/,
  'assignment.ts': /missed at [\s\S]*to judge: \{"lines":\["Threads close."\]\}\nadopted thread_\S+\/assignments\/1\n$/,
  'task.ts': /^input: Tasks are new\.\nadopted task_\S+\/engagements\/engagement_\S+\n$/,
};
