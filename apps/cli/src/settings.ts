import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Complaint, type Config, createLogger, openPlatform, type Platform, readConfig } from '@kungfu/service';
import type { Command } from 'commander';

const dataOf = (command: Command): string | undefined =>
  (command.optsWithGlobals()['data'] as string | undefined) ?? process.env['KUNGFU_DATA'];

/**
 * The configuration from the environment; with a data folder, the database is the embedded one that runs on it, and the log is
 * there too unless KUNGFU_LOG says otherwise. Throws ConfigError, Complaint.
 */
export const configOf = (command: Command): Config => {
  const data = dataOf(command);
  const env: NodeJS.ProcessEnv = { KUNGFU_LOG_LEVEL: 'warn', ...process.env };
  if (data === undefined) return readConfig(env);
  const partitions = env['KUNGFU_LOG'] === 'kafka' ? {} : { KUNGFU_PARTITIONS: '4' };
  return readConfig({ ...partitions, ...env, DATABASE_URL: env['DATABASE_URL'] ?? embeddedUrl(data) });
};

/** The embedded server takes another port at each start, and tells it in its pid file: fourth line. */
const embeddedUrl = (data: string): string => {
  const file = join(data, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) throw new Complaint(`no Kungfu runs on the data folder ${resolve(data)}`);
  return `postgres://kungfu:kungfu@127.0.0.1:${readFileSync(file, 'utf8').split('\n')[3]}/kungfu`;
};

/** Opens the platform for one piece of work; diagnostics go to standard error. */
export const withPlatform = async <T>(command: Command, work: (platform: Platform) => Promise<T>): Promise<T> => {
  const config = configOf(command);
  const platform = await openPlatform(config, createLogger(config, 'kungfu', 2));
  try {
    return await work(platform);
  } finally {
    await platform.close();
  }
};

/** The token of the administration: from the environment, or from the data folder. Throws Complaint. */
export const adminTokenOf = (command: Command): string => {
  const given = process.env['KUNGFU_ADMIN_TOKEN'];
  if (given !== undefined) return given;
  const file = join(dataOf(command) ?? '.kungfu', 'admin-token');
  if (!existsSync(file))
    throw new Complaint(
      'the administration has a token: set KUNGFU_ADMIN_TOKEN, or --data to the folder of an npm start',
    );
  return readFileSync(file, 'utf8').trim();
};
