import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AgentId } from '@kungfu/protocol';
import { Complaint } from '@kungfu/service';
import { Command } from 'commander';
import { act, type AgentDoor, type AgentOptions, doorOf, forAgent, read } from '../agent/door.ts';
import { referenceOf, workOf } from '../agent/reference.ts';
import { ask } from '../http.ts';
import { adminTokenOf } from '../settings.ts';

type Options = AgentOptions & { readonly adminUrl: string };
type Made = { readonly receipt: { readonly object: string }; readonly secret: string };
type Item = { readonly ref: string; readonly nextStep: string };

const main = fileURLToPath(new URL('../main.js', import.meta.url));

/** Two agents do a whole piece of work; one of them is killed in the middle, and another process with its key goes on. */
export const demoCommand = (): Command =>
  forAgent(new Command('demo'))
    .description('two agents do a whole piece of work on a running Kungfu; one is killed in the middle and resumes')
    .option(
      '--admin-url <url>',
      'administration interface (KUNGFU_ADMIN_URL)',
      process.env['KUNGFU_ADMIN_URL'] ?? 'http://127.0.0.1:4601',
    )
    .action(async (options: Options, command: Command) => {
      const administration = { url: options.adminUrl, token: adminTokenOf(command) };
      const make = (): Promise<Made> => ask<Made>(administration, 'POST', '/admin/v1/agents', {});
      const [ada, bob] = [await make(), await make()];
      const door: AgentDoor = { url: options.url, key: ada.secret };
      say('Ada and Bob have accounts, and nothing but their keys.');
      const thread = await prepare(door, { url: options.url, key: bob.secret }, bob.receipt.object as AgentId);
      say(`Ada has opened ${thread}, asked Bob something in entry 1, and assigned work to him in entry 2.`);
      await play('Bob', bob.secret, options.url, ['--die-after-taking']);
      say(
        'Bob’s process has been killed (kill -9) right after taking the work. Another one starts, with his key alone.',
      );
      await play('Bob', bob.secret, options.url, []);
      await play('Ada', ada.secret, options.url, []);
      const { body } = await read(door, `/v1/threads/${thread}/assignments/1`);
      const { status } = body as { readonly status: string };
      if (status !== 'adopted') throw new Complaint(`the assignment is ${status}`);
      say(`${thread}/assignments/1 is ${status}. Nobody owes anything any more.`);
    });

const say = (text: string): void => console.log(text);

/** What stands before the agents begin to work on their own. */
const prepare = async (ada: AgentDoor, bob: AgentDoor, bobId: AgentId): Promise<string> => {
  const opened = await act(ada, 'thread.create', undefined, { content: { title: 'Demo' }, grant: {} }, {});
  await act(bob, 'thread.join', undefined, { secret: opened.secret! }, {});
  const thread = opened.receipt.object;
  await act(ada, 'thread.post', thread, { content: { body: 'Can you do a sum today?' } }, {});
  const assign = {
    to: bobId,
    content: { wanted: 'The sum of 2 and 3', criteria: 'It is right', outputSchema: { type: 'number' } },
  };
  await act(ada, 'thread.post', thread, { content: { body: 'Then please do this one.' }, ask: [], assign }, {});
  return thread;
};

/** Runs an agent's session as a process of its own until it ends or is killed. */
const play = (name: string, key: string, url: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, KUNGFU_KEY: key, KUNGFU_URL: url };
    const child = spawn(process.execPath, [main, 'demo-session', name, ...args], { env, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code, signal) =>
      code === 0 || signal === 'SIGKILL' ? resolve() : reject(new Complaint(`${name} has ended with ${code}`)),
    );
  });

/** A session of an agent that knows nothing but its key: it reads its turn and its opportunities, and does what they say (O-9). */
export const demoSessionCommand = (): Command =>
  forAgent(new Command('demo-session'))
    .description('one session of an agent of the demo')
    .argument('<name>')
    .option('--die-after-taking')
    .action(async (name: string, options: AgentOptions & { dieAfterTaking?: true }) => {
      const door = doorOf(options);
      for (;;) {
        const item = (await itemsOf(door, '/v1/turn'))[0] ?? (await itemsOf(door, '/v1/opportunities'))[0];
        if (item === undefined) return say(`${name}: nothing is left to do.`);
        say(`${name}: ${item.nextStep} at ${item.ref}`);
        await step(door, item, options.dieAfterTaking === true);
      }
    });

const itemsOf = async (door: AgentDoor, path: string): Promise<readonly Item[]> =>
  ((await read(door, path)).body as { readonly items: readonly Item[] }).items;

const step = async (door: AgentDoor, { ref, nextStep }: Item, dieAfterTaking: boolean): Promise<void> => {
  switch (nextStep) {
    case 'respond': {
      const entry = referenceOf(ref);
      if (entry.kind !== 'entry') throw new Complaint(`${ref} is no entry`);
      const input = { replyTo: entry.entry, ask: [], content: { body: 'Yes, with pleasure.' } };
      await act(door, 'thread.post', entry.thread, input, {});
      return;
    }
    case 'deliver':
      return deliver(door, ref, dieAfterTaking);
    case 'judge': {
      const work = workOf(ref);
      if (work.kind === 'assignment')
        await act(door, 'assignment.adopt', work.thread, { assignment: work.assignment }, {});
      return;
    }
    default:
      throw new Complaint(`the demo has no ${nextStep}`);
  }
};

/** Takes what is not taken yet; the next look at the turn tells that it is to be delivered. */
const deliver = async (door: AgentDoor, ref: string, dieAfterTaking: boolean): Promise<void> => {
  const work = workOf(ref);
  if (work.kind !== 'assignment') throw new Complaint(`${ref} is no assignment`);
  const { thread, assignment } = work;
  const { body } = await read(door, `/v1/threads/${ref}`);
  if ((body as { readonly status: string }).status === 'open') {
    await act(door, 'assignment.take', thread, { assignment }, {});
    if (dieAfterTaking) process.kill(process.pid, 'SIGKILL');
    return;
  }
  await act(door, 'assignment.deliver', thread, { assignment, delivery: { content: { payload: 5 } } }, {});
};
