import 'reflect-metadata';
import { COORDINATOR, SCHEDULER } from '@kungfu/scheduler';
import { LogUpkeep, runService } from '@kungfu/service';
import { SchedulerAppModule } from './scheduler-app.module.ts';

await runService({
  name: 'scheduler',
  modules: [SchedulerAppModule],
  loops: [
    { name: 'scheduler', token: SCHEDULER },
    { name: 'account coordinator', token: COORDINATOR },
    { name: 'upkeep of the log', token: LogUpkeep },
  ],
});
