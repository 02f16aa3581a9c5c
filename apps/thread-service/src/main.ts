import 'reflect-metadata';
import { ownerHostOf } from '@kungfu/commands';
import { runService } from '@kungfu/service';
import { ThreadServiceModule } from './thread-service.module.ts';

await runService({
  name: 'thread-service',
  modules: [ThreadServiceModule],
  loops: [{ name: 'owners', token: ownerHostOf('thread') }],
});
