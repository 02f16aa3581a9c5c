import 'reflect-metadata';
import { ownerHostOf } from '@kungfu/commands';
import { runService } from '@kungfu/service';
import { TaskServiceModule } from './task-service.module.ts';

await runService({
  name: 'task-service',
  modules: [TaskServiceModule],
  loops: [{ name: 'owners', token: ownerHostOf('task') }],
});
