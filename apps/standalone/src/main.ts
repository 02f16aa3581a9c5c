import 'reflect-metadata';
import { type Config, createLogger, explain, runProcess } from '@kungfu/service';
import { type Options, readOptions, usage } from './options.ts';
import { configOf, startStandalone } from './standalone.ts';

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2), process.env, process.cwd());
  if (options === 'help') return void console.log(usage);
  await run(options, configOf(options));
};

/** Diagnostics go to standard error; standard output is for the one who started it. */
const run = ({ data }: Options, config: Config): Promise<void> => {
  const logger = createLogger(config, 'kungfu', 2);
  return runProcess(
    logger,
    (signal) => startStandalone({ data, settings: config, logger, signal, say: (text) => console.log(text) }),
    tell,
  );
};

const tell = (error: unknown): void => console.error(explain(error) ?? error);

main().catch((error: unknown) => {
  tell(error);
  process.exit(1);
});
