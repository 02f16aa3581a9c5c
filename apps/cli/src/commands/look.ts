import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Complaint } from '@kungfu/service';
import { Command } from 'commander';
import { type AgentDoor, type AgentOptions, doorOf, forAgent, read } from '../agent/door.ts';
import { pathOf } from '../agent/reference.ts';
import { outline, printable } from '../agent/text.ts';
import { show, table } from '../show.ts';

type Item = {
  readonly ref: string;
  readonly obligation?: string;
  readonly nextStep: string;
  readonly arisenAt: string;
  readonly deadline: string | null;
  readonly content: { readonly title?: string } | null;
};
type Page = { readonly items: readonly Item[]; readonly cursor: string | null };

/** What an agent reads. */
export const lookCommands = (): readonly Command[] => [
  whoamiCommand(),
  listCommand('turn', 'what you owe, oldest first', '/v1/turn', 'nothing is owed'),
  listCommand('opportunities', 'what you may take', '/v1/opportunities', 'there is nothing to take'),
  listCommand('waiting', 'what others owe to you', '/v1/waiting', 'nobody owes you anything'),
  openCommand(),
  waitCommand(),
];

const whoamiCommand = (): Command =>
  forAgent(new Command('whoami'))
    .description('the agent whose key stands in KUNGFU_KEY')
    .action(async (options: AgentOptions) => {
      const { body } = await read(doorOf(options), '/v1/me');
      const { limits: _, ...me } = body as Record<string, unknown>;
      show(options, body, outline(me));
    });

const listCommand = (name: string, description: string, path: string, none: string): Command =>
  forAgent(new Command(name))
    .description(description)
    .option('--plain', 'a line for each: next step and reference')
    .action(async (options: AgentOptions) => {
      const items = await allOf(doorOf(options), path);
      if (options.plain)
        return console.log(
          items
            .map(({ nextStep, ref }) => `${nextStep} ${ref}\n`)
            .join('')
            .trimEnd(),
        );
      show(options, items, items.length === 0 ? none : tableOf(items));
    });

const allOf = async (door: AgentDoor, path: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await read(door, cursor === '' ? path : `${path}?cursor=${encodeURIComponent(cursor)}`);
    const page = body as Page;
    items.push(...page.items);
    cursor = page.cursor;
  }
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
      const { body } = await read(doorOf(options), pathOf(ref));
      show(options, body, outline(body));
    });

const waitSeconds = 50;
const retryMs = 2_000;

type WaitOptions = AgentOptions & { readonly exec?: string; readonly once?: true };

const waitCommand = (): Command =>
  forAgent(new Command('wait'))
    .description('wait until the turn changes; with --exec run a command each time, until interrupted')
    .option('--exec <command>', 'runs in a shell, with the turn as JSON on its standard input')
    .option('--once', 'end after the first change')
    .action(async (options: WaitOptions) => {
      const door = doorOf(options);
      let { etag, body } = await read(door, '/v1/turn');
      // What is owed already is a reason to begin at once.
      if (options.exec !== undefined && (body as Page).items.length > 0) {
        await run(options.exec, body);
        if (options.once) return;
      }
      for (;;) {
        ({ etag, body } = await changed(door, etag));
        if (options.exec === undefined) return show(options, body, tableOf((body as Page).items));
        await run(options.exec, body);
        if (options.once) return;
      }
    });

/** Waits for another turn than the one known; over failures of the connection too. */
const changed = async (
  door: AgentDoor,
  etag: string | undefined,
): Promise<{ etag: string | undefined; body: unknown }> => {
  for (;;) {
    try {
      const answer = await read(door, `/v1/turn?waitSeconds=${waitSeconds}`, { 'if-none-match': etag ?? '""' });
      if (answer.status !== 304) return answer;
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      console.error(error.message);
      await sleep(retryMs);
    }
  }
};

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
