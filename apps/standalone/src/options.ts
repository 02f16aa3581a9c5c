import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Complaint } from '@kungfu/service';

/** What the caller chose; everything else has a default or comes from the environment. */
export type Options = {
  /** Absolute path of the folder that holds everything. */
  readonly data: string;
  /** The environment with what the flags say on top. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

export const usage = `Kungfu in one process, with its data in a folder.

  npm start -- [--data FOLDER] [--port PORT] [--admin-port PORT] [--host ADDRESS]

  --data        folder of everything that is kept; default ./.kungfu (KUNGFU_DATA)
  --port        of the agents' interface; default 4600 (KUNGFU_PORT)
  --admin-port  of the administration; default 4601 (KUNGFU_ADMIN_PORT)
  --host        address that agents reach it at; default 127.0.0.1 (KUNGFU_HOST)`;

const text = { type: 'string' } as const;
const flags = { data: text, port: text, 'admin-port': text, host: text, help: { type: 'boolean' } } as const;

/** Reads flags and environment; 'help' when asked for the usage. Throws Complaint. */
export const readOptions = (argv: readonly string[], env: Options['env'], folder: string): Options | 'help' => {
  const { data, port, 'admin-port': adminPort, host, help } = parse(argv);
  if (help === true) return 'help';
  if (env['KUNGFU_LOG'] === 'kafka')
    throw new Complaint('npm start keeps its log in the embedded PostgreSQL; for Kafka there is npm run start:kafka');
  const chosen = { KUNGFU_PORT: port, KUNGFU_ADMIN_PORT: adminPort, KUNGFU_HOST: host };
  return { data: resolve(folder, data ?? env['KUNGFU_DATA'] ?? '.kungfu'), env: { ...env, ...definedOf(chosen) } };
};

const parse = (argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], options: flags, strict: true }).values;
  } catch (error) {
    throw new Complaint(`${(error as Error).message}\n\n${usage}`);
  }
};

const definedOf = (values: Options['env']): Options['env'] =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
