import { CommandsModule } from '@kungfu/commands';
import { GatewayModule } from '@kungfu/gateway';
import { ProjectorModule } from '@kungfu/projector';
import { SchedulerModule } from '@kungfu/scheduler';
import { LogUpkeepModule } from '@kungfu/service';
import { Module } from '@nestjs/common';

/** Every service in one process. */
@Module({
  imports: [
    CommandsModule.register('agent', 'memory', 'thread', 'task'),
    ProjectorModule.register(),
    SchedulerModule.register(),
    LogUpkeepModule.register(),
    GatewayModule.register(),
  ],
})
export class StandaloneModule {}
