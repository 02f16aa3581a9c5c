import { CommandsModule } from '@kungfu/commands';
import { Module } from '@nestjs/common';

/** Owns the partitions of agents: decides their actions. */
@Module({ imports: [CommandsModule.register('agent')] })
export class AgentServiceModule {}
