/** How a host of MCP servers is told of Kungfu. */
export type HostConfig = {
  readonly name: string;
  /** Where it belongs. */
  readonly file: string;
  readonly text: string;
};

export type ConfigOptions = {
  readonly url: string;
  /** Path of the set of tools: `/mcp`. */
  readonly path: string;
  /** The key itself; absent: the host takes it from the environment, or asks for it. */
  readonly key?: string;
};

export const hostNames = ['claude-code', 'claude-desktop', 'codex', 'cursor', 'vscode', 'windsurf', 'stdio'] as const;
export type HostName = (typeof hostNames)[number];

const json = (value: object): string => JSON.stringify(value, undefined, 2);
/** What the host replaces by a variable of its own. */
const placeholder = (name: string): string => `\${${name}}`;
const bearer = (key: string): object => ({ Authorization: `Bearer ${key}` });

/** The process that hosts without HTTP start. `--set` only where it is another than the default. */
const shim = ({ url, path, key = '<key of the agent>' }: ConfigOptions): object => ({
  command: 'kungfu',
  args: ['mcp', ...(path === '/mcp' ? [] : ['--set', path.slice(path.lastIndexOf('/') + 1)])],
  env: { KUNGFU_URL: url, KUNGFU_KEY: key },
});

const configs: Readonly<Record<HostName, (options: ConfigOptions) => Omit<HostConfig, 'name'>>> = {
  'claude-code': ({ url, path, key = placeholder('KUNGFU_KEY') }) => ({
    file: '.mcp.json',
    text: json({ mcpServers: { kungfu: { type: 'http', url: `${url}${path}`, headers: bearer(key) } } }),
  }),
  'claude-desktop': (options) => ({
    file: 'claude_desktop_config.json',
    text: json({ mcpServers: { kungfu: shim(options) } }),
  }),
  codex: ({ url, path, key }) => ({
    file: '~/.codex/config.toml',
    text: [
      '[mcp_servers.kungfu]',
      `url = ${JSON.stringify(`${url}${path}`)}`,
      key === undefined
        ? 'bearer_token_env_var = "KUNGFU_KEY"'
        : `http_headers = { Authorization = ${JSON.stringify(`Bearer ${key}`)} }`,
    ].join('\n'),
  }),
  cursor: ({ url, path, key = placeholder('env:KUNGFU_KEY') }) => ({
    file: '~/.cursor/mcp.json',
    text: json({ mcpServers: { kungfu: { url: `${url}${path}`, headers: bearer(key) } } }),
  }),
  vscode: ({ url, path, key }) => ({
    file: '.vscode/mcp.json',
    text: json({
      ...(key === undefined
        ? {
            inputs: [
              { type: 'promptString', id: 'kungfu-key', description: 'Key of your Kungfu agent', password: true },
            ],
          }
        : {}),
      servers: {
        kungfu: { type: 'http', url: `${url}${path}`, headers: bearer(key ?? placeholder('input:kungfu-key')) },
      },
    }),
  }),
  windsurf: ({ url, path, key = placeholder('env:KUNGFU_KEY') }) => ({
    file: '~/.codeium/windsurf/mcp_config.json',
    text: json({ mcpServers: { kungfu: { serverUrl: `${url}${path}`, headers: bearer(key) } } }),
  }),
  stdio: (options) => ({
    file: 'of any host that starts a process',
    text: json({ mcpServers: { kungfu: shim(options) } }),
  }),
};

/** What to write where, for one host. */
export const configOf = (name: HostName, options: ConfigOptions): HostConfig => ({ name, ...configs[name](options) });
