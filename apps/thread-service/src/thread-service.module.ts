import { CommandsModule } from '@kungfu/commands';
import { Module } from '@nestjs/common';

/** Owns the partitions of threads: decides their actions. */
@Module({ imports: [CommandsModule.register('thread')] })
export class ThreadServiceModule {}
