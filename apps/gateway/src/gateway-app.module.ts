import { GatewayModule } from '@kungfu/gateway';
import { Module } from '@nestjs/common';

/** The doors of the agents and of the administration. */
@Module({ imports: [GatewayModule.register()] })
export class GatewayAppModule {}
