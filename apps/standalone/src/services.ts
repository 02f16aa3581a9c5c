import { resolve } from 'node:path';
import { createLogger, explain, handleExits, readConfig } from '@kungfu/service';
import { type Services, startServices } from './kafka/services.ts';

const main = async (): Promise<void> => {
  const env: NodeJS.ProcessEnv = { KUNGFU_LOG_LEVEL: 'warn', ...process.env };
  const config = readConfig({ ...env, KUNGFU_LOG: 'kafka' });
  const data = resolve(env['KUNGFU_DATA'] ?? '.kungfu-kafka');
  let services: Services | undefined;
  const { exit } = handleExits(createLogger(config, 'services', 2), async () => services?.stop());
  try {
    services = await startServices({ data, config, env, say: (text) => console.log(text) });
  } catch (error) {
    console.error(explain(error) ?? error);
    await exit(1);
  }
};

main().catch((error: unknown) => {
  console.error(explain(error) ?? error);
  process.exit(1);
});
