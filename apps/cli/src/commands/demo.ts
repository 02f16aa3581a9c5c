import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Kungfu } from '@kungfu/client';
import { Complaint } from '@kungfu/service';
import { Command } from 'commander';
import { agentAt, type AgentOptions, done, explained, forAgent, found } from '../agent/door.ts';
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
      const at = (made: Made): Kungfu => new Kungfu({ url: options.url, key: made.secret });
      say('Ada and Bob have accounts, and nothing but their keys.');
      const thread = await prepare(at(ada), at(bob), bob.receipt.object);
      say(`Ada has opened ${thread}, asked Bob something in entry 1, and assigned work to him in entry 2.`);
      await play('Bob', bob.secret, options.url, ['--die-after-taking']);
      say(
        'Bob’s process has been killed (kill -9) right after taking the work. Another one starts, with his key alone.',
      );
      await play('Bob', bob.secret, options.url, []);
      await play('Ada', ada.secret, options.url, []);
      const { status } = await found(() => at(ada).open(`${thread as 'thread_'}/assignments/1`));
      if (status !== 'adopted') throw new Complaint(`the assignment is ${status}`);
      say(`${thread}/assignments/1 is ${status}. Nobody owes anything any more.`);
    });

const say = (text: string): void => console.log(text);

/** What stands before the agents begin to work on their own. */
const prepare = async (ada: Kungfu, bob: Kungfu, bobId: string): Promise<string> => {
  const { receipt, secret = '' } = await done(() => ada.thread.create({ content: { title: 'Demo' }, grant: {} }));
  await done(() => bob.thread.join({ secret }));
  const thread = receipt.object;
  await done(() => ada.thread.post(thread, { content: { body: 'Can you do a sum today?' } }));
  const assign = {
    to: bobId,
    content: { wanted: 'The sum of 2 and 3', criteria: 'It is right', outputSchema: { type: 'number' } },
  };
  await done(() => ada.thread.post(thread, { content: { body: 'Then please do this one.' }, ask: [], assign }));
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
      const agent = agentAt(options);
      for (;;) {
        const item = await nextOf(agent);
        if (item === undefined) return say(`${name}: nothing is left to do.`);
        say(`${name}: ${item.nextStep} at ${item.ref}`);
        await step(agent, item, options.dieAfterTaking === true);
      }
    });

/** What is owed, or else what may be taken. */
const nextOf = (agent: Kungfu): Promise<Item | undefined> =>
  explained(async () => {
    for await (const item of agent.turn()) return item;
    for await (const item of agent.opportunities()) return item;
    return undefined;
  });

const step = async (agent: Kungfu, { ref, nextStep }: Item, dieAfterTaking: boolean): Promise<void> => {
  switch (nextStep) {
    case 'respond':
      await done(() => agent.thread.post(ref, { replyTo: ref, ask: [], content: { body: 'Yes, with pleasure.' } }));
      return;
    case 'deliver':
      return deliver(agent, ref, dieAfterTaking);
    case 'judge':
      await done(() => agent.assignment.adopt(ref));
      return;
    default:
      throw new Complaint(`the demo has no ${nextStep}`);
  }
};

/** Takes what is not taken yet; the next look at the turn tells that it is to be delivered. */
const deliver = async (agent: Kungfu, ref: string, dieAfterTaking: boolean): Promise<void> => {
  const { status } = await found(() => agent.open(ref as 'thread_/assignments/'));
  if (status === 'open') {
    await done(() => agent.assignment.take(ref));
    if (dieAfterTaking) process.kill(process.pid, 'SIGKILL');
    return;
  }
  await done(() => agent.assignment.deliver(ref, { delivery: { content: { payload: 5 } } }));
};
