import { Complaint } from '@kungfu/service';
import { Command, Option } from 'commander';
import { configOf, type HostConfig, type HostName, hostNames } from '../mcp/hosts.ts';
import { serveShim } from '../mcp/shim.ts';
import { Upstream } from '../mcp/upstream.ts';
import { version } from '../version.ts';

/** The sets of tools by name, and where each is served. */
const sets = { default: '/mcp', govern: '/mcp/x/govern', all: '/mcp/x/all', readonly: '/mcp/readonly' } as const;

type Options = {
  readonly url: string;
  readonly set: keyof typeof sets;
  readonly config?: true;
  readonly host?: HostName;
  readonly withKey?: true;
  readonly json?: true;
};

/** Serves the tools over standard input and output, or prints how to tell a host of them. */
export const mcpCommand = (): Command =>
  new Command('mcp')
    .description('the tools for models over standard input and output, as the agent whose key stands in KUNGFU_KEY')
    .option('--url <url>', 'interface of the agents (KUNGFU_URL)', process.env['KUNGFU_URL'] ?? 'http://127.0.0.1:4600')
    .addOption(new Option('--set <name>', 'which tools').choices(Object.keys(sets)).default('default'))
    .option('--config', 'print what the usual hosts need to know of it, and end')
    .addOption(new Option('--host <name>', 'with --config: for this host alone').choices(hostNames))
    .option('--with-key', 'with --config: write the key itself instead of where to find it')
    .option('--json', 'with --config: as JSON')
    .action((options: Options) => (options.config ? print(options) : serve(options)));

const keyOf = (): string => {
  const key = process.env['KUNGFU_KEY'];
  if (key === undefined || key === '') throw new Complaint('set KUNGFU_KEY to the key of the agent');
  return key;
};

const originOf = (url: string): string => {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new Complaint(`--url ${url} is no address of HTTP`);
  return url.replace(/\/+$/, '');
};

const serve = async ({ url, set }: Options): Promise<void> => {
  const upstream = new Upstream({ url: `${originOf(url)}${sets[set]}`, key: keyOf(), version });
  await serveShim(upstream, version);
};

const print = ({ url, set, host, withKey, json }: Options): void => {
  const options = { url: originOf(url), path: sets[set], ...(withKey ? { key: keyOf() } : {}) };
  const configs = (host === undefined ? hostNames : [host]).map((name) => configOf(name, options));
  if (json) console.log(JSON.stringify(configs, undefined, 2));
  else console.log(host === undefined ? configs.map(headed).join('\n\n') : configs[0]!.text);
};

const headed = ({ name, file, text }: HostConfig): string => `# ${name}: ${file}\n${text}`;
