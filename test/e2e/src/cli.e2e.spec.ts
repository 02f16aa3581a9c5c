import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts, makeAgent, type System, startStandalone, type TestAgent } from './index.ts';

const startMsMax = 120_000;
const main = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
const run = promisify(execFile);

type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** The command line, as somebody in a shell uses it. */
describe('kungfu', () => {
  let system: System;
  let ada: TestAgent;
  let bob: TestAgent;
  beforeAll(async () => {
    system = await startStandalone();
    [ada, bob] = [await makeAgent(system), await makeAgent(system)];
  }, startMsMax);
  afterAll(() => system?.stop(), startMsMax);

  const kungfu = async (agent: TestAgent | undefined, ...args: readonly string[]): Promise<Ended> => {
    const env = {
      PATH: process.env['PATH'],
      KUNGFU_URL: system.anyone.origin,
      KUNGFU_ADMIN_URL: system.administration.origin,
      KUNGFU_ADMIN_TOKEN: system.adminToken,
      DATABASE_URL: system.databaseUrl,
      KUNGFU_LOG: 'postgres',
      ...(agent === undefined ? {} : { KUNGFU_KEY: agent.secret }),
    };
    try {
      const { stdout, stderr } = await run(process.execPath, [main, ...args], { env });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr };
    }
  };
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into is what it asserts
  const json = async (agent: TestAgent | undefined, ...args: readonly string[]): Promise<any> => {
    const { code, out, err } = await kungfu(agent, ...args, '--json');
    expect([args[0], code, err]).toEqual([args[0], 0, '']);
    return JSON.parse(out);
  };

  it('[O-9] demo: two agents do a piece of work, one is killed in the middle and another process goes on', async () => {
    const { code, out } = await kungfu(undefined, 'demo');
    expect(code).toBe(0);
    expect(out.match(/Bob: deliver at/g)).toHaveLength(2);
    expect(out).toContain('is adopted. Nobody owes anything any more.');
  }, 60_000);

  it('works in a thread: start, join, post, turn, open, handle, take, deliver, judge', async () => {
    const { receipt, secret } = await json(ada, 'start', 'A thread');
    const thread = receipt.object;
    await json(bob, 'join', secret);
    const asked = await json(ada, 'post', thread, 'What now?', '--title', 'Question');
    expect(await json(bob, 'turn')).toMatchObject([{ ref: asked.receipt.ref, nextStep: 'respond' }]);
    expect((await kungfu(bob, 'open', asked.receipt.ref)).out).toContain('body: What now?');
    await json(bob, 'handle', asked.receipt.ref, '--note', 'seen');
    const work = ['--assign-to', bob.id, '--wanted', 'w', '--criteria', 'c', '--ask-nobody'];
    const assigned = await json(ada, 'post', thread, 'Work', ...work);
    const ref = `${thread}/assignments/${assigned.receipt.assignment}`;
    expect(await json(bob, 'opportunities')).toMatchObject([{ ref, nextStep: 'deliver' }]);
    await json(bob, 'take', ref);
    await json(bob, 'deliver', ref, '--payload', '{"done":true}');
    expect(await json(bob, 'waiting')).toMatchObject([{ ref, nextStep: 'wait' }]);
    await json(ada, 'judge', ref, '--adopt');
    expect((await json(bob, 'open', ref)).judgment.how).toBe('adopted');
    expect((await kungfu(bob, 'turn')).out).toBe('nothing is owed\n');
  }, 120_000);

  it('works on a Task: remember, offer, take, drop, take again, judge', async () => {
    const memory = (await json(ada, 'remember', 'An input', '--title', 'Input')).receipt.ref;
    const offer = [
      'offer',
      '--wanted',
      'w',
      '--criteria',
      'c',
      '--input',
      memory,
      '--to',
      bob.id,
      '--max-adoptions',
      '1',
    ];
    const task = (await json(ada, ...offer)).receipt.object;
    const first = (await json(bob, 'take', task)).receipt.ref;
    await json(bob, 'drop', first);
    const second = (await json(bob, 'take', task, '--redoes', first, '--payload', '1')).receipt.ref;
    expect(await json(bob, 'open', second)).toMatchObject({ status: 'delivered', redoes: first });
    await json(ada, 'judge', second, '--reject', 'Not enough.');
    expect((await kungfu(bob, 'open', second)).out).toContain('reason: Not enough.');
  }, 120_000);

  it('waits for the turn and runs a command with it, while others act', async () => {
    const cyd = await makeAgent(system);
    const waiting = kungfu(cyd, 'wait', '--once', '--exec', 'cat');
    const task = (await json(ada, 'offer', '--wanted', 'w', '--criteria', 'c', '--judge', cyd.id)).receipt.object;
    await json(bob, 'take', task, '--payload', '1');
    const { code, out } = await waiting;
    expect([code, JSON.parse(out).items[0].nextStep]).toEqual([0, 'judge']);
  }, 60_000);

  it('[L3-1] repeats a request under its key', async () => {
    const once = ['remember', 'the same', '--idempotency-key', 'cli-key'];
    expect(await json(ada, ...once)).toEqual(await json(ada, ...once));
  });

  it('[L1-2] prints facts and verifies them', async () => {
    const memory = (await json(ada, 'remember', 'for the facts')).receipt.object;
    const { out } = await kungfu(undefined, 'facts', '--kind', 'memory', '--object', memory);
    const facts = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(facts).toMatchObject([{ object: { id: memory }, revision: 1, cause: { action: 'memory.create' } }]);
    expect(out).not.toContain('for the facts');
    expect((await kungfu(undefined, 'facts', '--object', memory, '--to', '2020-01-01T00:00:00Z')).out).toBe('');
    const verified = await json(undefined, 'verify');
    expect(verified.flatMap(({ problems }: { problems: string[] }) => problems)).toEqual([]);
  }, 60_000);

  it('tells in one line what is wrong, and ends with 1', async () => {
    const [closed] = await freePorts(1);
    const nowhere = `http://127.0.0.1:${closed}`;
    const cases: readonly [TestAgent | undefined, readonly string[], string][] = [
      [undefined, ['turn'], 'set KUNGFU_KEY'],
      [ada, ['open', 'nonsense'], 'nonsense'],
      [ada, ['open', 'thread_00000000000000000000000001'], 'not_found: '],
      [ada, ['join', 'kfg_wrong'], 'grant_invalid: '],
      [ada, ['judge', 'thread_00000000000000000000000001/assignments/1'], '--adopt or --reject'],
      [ada, ['offer', '--wanted', 'w', '--criteria', 'c', '--delivery-seconds', '0'], '/deliverySeconds: '],
      [ada, ['take', 'thread_00000000000000000000000001'], 'does not name the'],
      [ada, ['remember', '@/nowhere'], 'cannot be read'],
      [ada, ['turn', '--url', nowhere], `no answer to GET ${nowhere}/v1/turn`],
      [undefined, ['facts', '--kind', 'nothing'], '--kind is one of'],
    ];
    for (const [agent, args, told] of cases) {
      const { code, err } = await kungfu(agent, ...args);
      expect([args.join(' '), code, err]).toEqual([args.join(' '), 1, expect.stringContaining(told)]);
      expect(err).not.toContain('    at ');
    }
  }, 60_000);
});
