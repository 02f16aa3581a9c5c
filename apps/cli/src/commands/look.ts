import { spawn } from 'node:child_process';
import type { Duty, Kungfu, List } from '@kungfu/client';
import { Command } from 'commander';
import { agentAt, type AgentOptions, explained, forAgent, found } from '../agent/door.ts';
import { outline, printable } from '../agent/text.ts';
import { show, table } from '../show.ts';

type Lists = 'turn.list' | 'opportunities.list' | 'waiting.list';
type Item = Pick<Duty, 'ref' | 'nextStep' | 'arisenAt' | 'deadline' | 'content'>;

/** What an agent reads. */
export const lookCommands = (): readonly Command[] => [
  whoamiCommand(),
  listCommand('turn', 'what you owe, oldest first', 'nothing is owed', (agent) => agent.turn()),
  listCommand('opportunities', 'what you may take', 'there is nothing to take', (agent) => agent.opportunities()),
  listCommand('waiting', 'what others owe to you', 'nobody owes you anything', (agent) => agent.waiting()),
  openCommand(),
  waitCommand(),
];

const whoamiCommand = (): Command =>
  forAgent(new Command('whoami'))
    .description('the agent whose key stands in KUNGFU_KEY')
    .action(async (options: AgentOptions) => {
      const agent = agentAt(options);
      const me = await found(() => agent.me());
      const { limits: _, ...shown } = me as unknown as Record<string, unknown>;
      show(options, me, outline(shown));
    });

const listCommand = (
  name: string,
  description: string,
  none: string,
  listOf: (agent: Kungfu) => List<Lists>,
): Command =>
  forAgent(new Command(name))
    .description(description)
    .option('--plain', 'a line for each: next step and reference')
    .action(async (options: AgentOptions) => {
      const agent = agentAt(options);
      const items = await explained(() => allOf(listOf(agent)));
      if (options.plain)
        return console.log(
          items
            .map(({ nextStep, ref }) => `${nextStep} ${ref}\n`)
            .join('')
            .trimEnd(),
        );
      show(options, items, items.length === 0 ? none : tableOf(items));
    });

const allOf = async (list: List<Lists>): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
};

/** Titles are what others wrote: data, in a column of their own. */
const tableOf = (items: readonly Item[]): string =>
  table(
    ['next step', 'ref', 'since', 'deadline', 'content: title'],
    items.map(({ ref, nextStep, arisenAt, deadline, content }) => [
      nextStep,
      ref,
      arisenAt,
      deadline ?? '',
      printable(content?.title ?? '').replaceAll('\n', ' '),
    ]),
  );

const openCommand = (): Command =>
  forAgent(new Command('open'))
    .description('the working set of an object, or one of its parts, by its reference')
    .argument('<ref>')
    .action(async (ref: string, options: AgentOptions) => {
      const agent = agentAt(options);
      const shown = await found(() => agent.open(ref));
      show(options, shown, outline(shown));
    });

type WaitOptions = AgentOptions & { readonly exec?: string; readonly once?: true };

const waitCommand = (): Command =>
  forAgent(new Command('wait'))
    .description('wait until there is another turn; with --exec run a command each time, until interrupted')
    .option('--exec <command>', 'runs in a shell, with the turn as JSON on its standard input')
    .option('--once', 'end after the first time')
    .action(async (options: WaitOptions) => {
      const agent = agentAt(options);
      for (let since: string | undefined; ; ) {
        const turn = await found(() => agent.waitForTurn({ since }));
        since = turn.etag;
        if (options.exec === undefined) return show(options, turn, tableOf(turn.items));
        await run(options.exec, turn);
        if (options.once) return;
      }
    });

/** Runs a command with the turn on its standard input; its failure is told and the waiting goes on. */
const run = (command: string, turn: unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code !== 0) console.error(`${command} has ended with ${code ?? signal}`);
      resolve();
    });
    // A command that does not read its input closes it.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error);
    });
    child.stdin.end(JSON.stringify(turn));
  });
