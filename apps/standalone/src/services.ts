import { resolve } from 'node:path';
import { createLogger, explain, readConfig, runProcess } from '@kungfu/service';
import { startServices } from './kafka/services.ts';

const main = async (): Promise<void> => {
  const env: NodeJS.ProcessEnv = { KUNGFU_LOG_LEVEL: 'warn', ...process.env };
  const config = readConfig({ ...env, KUNGFU_LOG: 'kafka' });
  const data = resolve(env['KUNGFU_DATA'] ?? '.kungfu-kafka');
  const logger = createLogger(config, 'services', 2);
  await runProcess(
    logger,
    (signal) => startServices({ data, config, env, signal, say: (text) => console.log(text) }),
    tell,
  );
};

const tell = (error: unknown): void => console.error(explain(error) ?? error);

main().catch((error: unknown) => {
  tell(error);
  process.exit(1);
});
