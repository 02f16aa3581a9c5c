import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { Child } from './child.ts';
import { connectionBroken } from './client.ts';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const readyMsMax = 60_000;

export type ServiceOptions = {
  readonly name: string;
  /** Folder of the app, from the root. */
  readonly app: string;
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Answers 200 when the service is ready. */
  readonly readyUrl: string;
  readonly outputFile: string;
};

/** A built app as a process that can be killed and started again. */
export class RunningService {
  readonly #options: ServiceOptions;
  #child: Child | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get outputFile(): string {
    return this.#options.outputFile;
  }

  get pid(): number {
    return this.#running().pid;
  }

  /** Starts it and waits until it is ready. Throws when it ends before, with where its output is. */
  async start(): Promise<void> {
    const { name, env, args, execArgv, outputFile, readyUrl } = this.#options;
    const child = new Child({
      label: name,
      module: builtModule(this.#options.app),
      env,
      outputFile,
      ...(args ? { args } : {}),
      ...(execArgv ? { execArgv } : {}),
    });
    this.#child = child;
    await until(`${name} to be ready (its output: ${outputFile})`, readyMsMax, async () => {
      child.mustRun();
      return (await answers(readyUrl)) ? true : undefined;
    });
  }

  /** kill -9 of the process alone. */
  async kill(): Promise<void> {
    await this.#running().kill();
  }

  /** Asks it to end, if it runs. What was wrong with how it ended; undefined: nothing. */
  async stop(): Promise<string | undefined> {
    if (this.#child === undefined || this.#child.ended !== undefined) return undefined;
    const code = await this.#child.stop();
    return code === 0 ? undefined : `${this.name} has ended with ${code}`;
  }

  #running(): Child {
    if (this.#child === undefined) throw new Error(`${this.name} has not been started`);
    return this.#child;
  }
}

const builtModule = (app: string): string => {
  const module = join(root, app, 'dist/main.js');
  if (!existsSync(module)) throw new Error(`${app} has not been built: run npm run build`);
  return module;
};

/** Asks services to end, one after another. What was wrong with how they ended. */
export const stopAll = async (services: readonly RunningService[]): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const service of services) wrong.push(...[await service.stop()].filter((reason) => reason !== undefined));
  return wrong;
};

const answers = async (url: string): Promise<boolean> => {
  const response = await request(url).catch(connectionBroken);
  await response?.body.dump();
  return response?.statusCode === 200;
};
