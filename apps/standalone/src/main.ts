import 'reflect-metadata';
import { type Config, createLogger, explain, handleExits } from '@kungfu/service';
import { type Options, readOptions, usage } from './options.ts';
import { configOf, type Standalone, startStandalone } from './standalone.ts';

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2), process.env, process.cwd());
  if (options === 'help') return void console.log(usage);
  await run(options, configOf(options));
};

/** Diagnostics go to standard error; standard output is for the one who started it. */
const run = async ({ data }: Options, config: Config): Promise<void> => {
  const logger = createLogger(config, 'kungfu', 2);
  let standalone: Standalone | undefined;
  const { exit } = handleExits(logger, async () => standalone?.stop());
  try {
    standalone = await startStandalone(data, config, logger, (text) => console.log(text));
  } catch (error) {
    tell(error);
    await exit(1);
  }
};

const tell = (error: unknown): void => console.error(explain(error) ?? error);

main().catch((error: unknown) => {
  tell(error);
  process.exit(1);
});
