import { SchedulerModule } from '@kungfu/scheduler';
import { LogUpkeepModule } from '@kungfu/service';
import { Module } from '@nestjs/common';

/** Fires deadlines, takes account walks through the partitions, keeps a log in Postgres tidy. */
@Module({ imports: [SchedulerModule.register(), LogUpkeepModule.register()] })
export class SchedulerAppModule {}
