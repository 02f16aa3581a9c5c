import 'reflect-metadata';
import { Gateway, openApiDocument } from '@kungfu/gateway';
import { runService } from '@kungfu/service';
import { GatewayAppModule } from './gateway-app.module.ts';

if (process.argv.includes('--openapi')) console.log(JSON.stringify(openApiDocument(), undefined, 2));
else await runService({ name: 'gateway', modules: [GatewayAppModule], loops: [{ name: 'gateway', token: Gateway }] });
