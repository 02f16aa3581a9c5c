import { CommandsModule } from '@kungfu/commands';
import { Module } from '@nestjs/common';

/** Owns the partitions of Tasks: decides their actions. */
@Module({ imports: [CommandsModule.register('task')] })
export class TaskServiceModule {}
