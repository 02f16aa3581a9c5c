import { CommandsModule } from '@kungfu/commands';
import { GatewayModule } from '@kungfu/gateway';
import { ProjectorModule } from '@kungfu/projector';
import { Module } from '@nestjs/common';

/** Every service in one process. */
@Module({
  imports: [CommandsModule.register('agent', 'memory', 'thread'), ProjectorModule.register(), GatewayModule.register()],
  exports: [CommandsModule, ProjectorModule, GatewayModule],
})
export class StandaloneModule {}
