import { type ProjectorEvent, rebuild } from '@kungfu/projector';
import { kindsWith } from '@kungfu/protocol';
import { createDataSource, PostgresProjectionStore } from '@kungfu/read-model';
import { Complaint, type Platform } from '@kungfu/service';
import { Command } from 'commander';
import { type Fencing, liftFence } from '../fence.ts';
import { withPlatform } from '../settings.ts';

type Options = { readonly fenceOnly?: boolean; readonly wait: string };

/** Drops the read model and folds it anew from the log (L1-1), then lifts the fence that gateways keep meanwhile. Safe to repeat. */
export const rebuildCommand = (): Command =>
  new Command('rebuild')
    .description('drop the read model and fold it anew from the log; gateways answer `pending` until it is done')
    .option('--fence-only', 'only lift the fence that an earlier rebuild left')
    .option('--wait <seconds>', 'how long to wait for the running services to pass the fence', '60')
    .action((options: Options, command: Command) =>
      withPlatform(command, async (platform) => {
        const waitMs = Number(options.wait) * 1_000;
        if (!(waitMs >= 0)) throw new Complaint('--wait takes a number of seconds');
        if (options.fenceOnly !== true) await fold(platform);
        console.log(told[await liftFence({ ...platform, kinds: kindsOf(platform) }, waitMs)]);
      }),
    );

const told: Readonly<Record<Fencing, string>> = {
  'not fenced': 'there is no fence: gateways answer',
  lifted: 'the fence is lifted: gateways answer again',
  standing: 'the fence still stands: services and projector have to run; then kungfu rebuild --fence-only',
};

const kindsOf = ({ config }: Platform) => kindsWith({ akep: config.KUNGFU_AKEP });

const fold = async (platform: Platform): Promise<void> => {
  const { config, log, pool, clock, timers, logger } = platform;
  const dataSource = createDataSource({ url: config.DATABASE_URL });
  const observe = (event: ProjectorEvent): void => {
    if (event.type === 'failed' || event.type === 'alarm') logger.warn({ err: event.error }, event.type);
  };
  try {
    const kinds = kindsOf(platform);
    await rebuild({ log, kinds, dataSource, store: new PostgresProjectionStore(pool), clock, timers, observe });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
  console.log('the read model is folded anew');
};
