import { CommandsModule } from '@kungfu/commands';
import { Module } from '@nestjs/common';

/** Owns the partitions of Memories: decides their actions. */
@Module({ imports: [CommandsModule.register('memory')] })
export class MemoryServiceModule {}
