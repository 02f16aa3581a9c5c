import 'reflect-metadata';
import { PROJECTOR } from '@kungfu/projector';
import { runService } from '@kungfu/service';
import { ProjectorAppModule } from './projector-app.module.ts';

await runService({
  name: 'projector',
  modules: [ProjectorAppModule],
  loops: [{ name: 'projector', token: PROJECTOR }],
});
