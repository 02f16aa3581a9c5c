import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { ask, askAll, type Door } from '../http.ts';
import { adminTokenOf } from '../settings.ts';
import { show, table } from '../show.ts';

type Options = { readonly url: string; readonly json?: boolean; readonly key?: string; readonly label?: string[] };
type Done = { readonly receipt: { readonly object: string; readonly key?: string }; readonly secret?: string };
type Agent = {
  readonly agent: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly createdAt: string | null;
};

const accounts = '/admin/v1/agents';

/** Accounts, through the administration interface of a running Kungfu. */
export const agentsCommand = (): Command => {
  const agents = new Command('agents').description('accounts of agents, through the administration interface');
  add(agents, 'create', 'make an agent; its key is told this once')
    .option('--label <label...>', 'labels')
    .action(async (options: Options, command: Command) => {
      const done = await act(
        door(options, command),
        'POST',
        '',
        { ...(options.label === undefined ? {} : { labels: options.label }) },
        options,
      );
      show(options, done, `${done.receipt.object}  ${keyOf(done)}`);
    });
  add(agents, 'list', 'every agent').action(async (options: Options, command: Command) => {
    const all = await askAll<Agent>(door(options, command), accounts);
    show(
      options,
      all,
      table(
        ['agent', 'state', 'labels', 'created'],
        all.map(({ agent, state, labels, createdAt }) => [agent, state, labels.join(' '), createdAt ?? '']),
      ),
    );
  });
  add(agents, 'deactivate <agent>', 'end its memberships and let it act no more (A-4)').action(
    (agent: string, options: Options, command: Command) => change(agent, 'POST', '/deactivate', {}, options, command),
  );
  add(agents, 'activate <agent>', 'let it act again; revives nothing (A-8)').action(
    (agent: string, options: Options, command: Command) => change(agent, 'POST', '/activate', {}, options, command),
  );
  add(agents, 'issue-key <agent>', 'another key; told this once').action(
    async (agent: string, options: Options, command: Command) => {
      const done = await act(door(options, command), 'POST', `/${agent}/keys`, {}, options);
      show(options, done, `${done.receipt.key ?? ''}  ${keyOf(done)}`);
    },
  );
  add(agents, 'revoke-key <agent> <id>', 'void a key at once').action(
    (agent: string, id: string, options: Options, command: Command) =>
      change(agent, 'DELETE', `/keys/${id}`, undefined, options, command),
  );
  add(agents, 'labels <agent> [labels...]', 'set its labels; none: remove all').action(
    (agent: string, labels: string[], options: Options, command: Command) =>
      change(agent, 'PUT', '/labels', { labels }, options, command),
  );
  return agents;
};

const add = (agents: Command, usage: string, description: string): Command =>
  agents
    .command(usage)
    .description(description)
    .option(
      '--url <url>',
      'administration interface (KUNGFU_ADMIN_URL)',
      process.env['KUNGFU_ADMIN_URL'] ?? 'http://127.0.0.1:4601',
    )
    .option('--key <key>', 'idempotency key: the same again does nothing twice')
    .option('--json', 'as JSON');

const door = ({ url }: Options, command: Command): Door => ({ url, token: adminTokenOf(command) });

const act = (to: Door, method: string, path: string, body: object | undefined, { key }: Options): Promise<Done> =>
  ask<Done>(to, method, `${accounts}${path}`, body, key ?? randomUUID());

const change = async (
  agent: string,
  method: string,
  path: string,
  body: object | undefined,
  options: Options,
  command: Command,
): Promise<void> => {
  const done = await act(door(options, command), method, `/${agent}${path}`, body, options);
  show(options, done, `done: ${agent}`);
};

const keyOf = ({ secret }: Done): string => secret ?? '(its key was told the first time)';
