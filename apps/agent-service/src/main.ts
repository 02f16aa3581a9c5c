import 'reflect-metadata';
import { ownerHostOf } from '@kungfu/commands';
import { runService } from '@kungfu/service';
import { AgentServiceModule } from './agent-service.module.ts';

await runService({
  name: 'agent-service',
  modules: [AgentServiceModule],
  loops: [{ name: 'owners', token: ownerHostOf('agent') }],
});
