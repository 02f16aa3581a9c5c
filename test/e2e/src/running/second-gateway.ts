import { join } from 'node:path';
import type { Limits } from '@kungfu/protocol';
import { Client } from './client.ts';
import { temporaryFolder } from './folder.ts';
import { freePorts } from './ports.ts';
import { RunningService } from './service.ts';
import type { System } from './system.ts';

const host = '127.0.0.1';
const adminToken = 'the-administration-of-another';

/** Another gateway in front of the same Kungfu. */
export type SecondGateway = {
  readonly anyone: Client;
  readonly administration: Client;
  stop(): Promise<void>;
};

/** Starts one over the standalone's database, with limits of its own. */
export const startSecondGateway = async (system: System, limits: Partial<Limits> = {}): Promise<SecondGateway> => {
  const folder = await temporaryFolder('second-gateway');
  const [port = 0, adminPort = 0, healthPort = 0] = await freePorts(3);
  const service = new RunningService({
    name: 'gateway',
    app: 'apps/gateway',
    env: {
      KUNGFU_LOG: 'postgres',
      DATABASE_URL: system.databaseUrl,
      KUNGFU_HOST: host,
      KUNGFU_PORT: String(port),
      KUNGFU_ADMIN_HOST: host,
      KUNGFU_ADMIN_PORT: String(adminPort),
      KUNGFU_ADMIN_TOKEN: adminToken,
      KUNGFU_HEALTH_PORT: String(healthPort),
      KUNGFU_LIMITS: JSON.stringify(limits),
    },
    readyUrl: `http://${host}:${port}/v1`,
    outputFile: join(folder.path, 'gateway.log'),
  });
  const anyone = new Client(`http://${host}:${port}`, undefined);
  const administration = new Client(`http://${host}:${adminPort}`, adminToken);
  const stop = async (): Promise<void> => {
    await Promise.all([anyone.close(), administration.close()]);
    const wrong = await service.stop();
    await folder.remove();
    if (wrong !== undefined) throw new Error(wrong);
  };
  try {
    await service.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { anyone, administration, stop };
};
