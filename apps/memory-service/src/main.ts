import 'reflect-metadata';
import { ownerHostOf } from '@kungfu/commands';
import { runService } from '@kungfu/service';
import { MemoryServiceModule } from './memory-service.module.ts';

await runService({
  name: 'memory-service',
  modules: [MemoryServiceModule],
  loops: [{ name: 'owners', token: ownerHostOf('memory') }],
});
