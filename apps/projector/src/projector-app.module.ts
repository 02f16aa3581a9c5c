import { ProjectorModule } from '@kungfu/projector';
import { Module } from '@nestjs/common';

/** Folds facts and content into the read model. */
@Module({ imports: [ProjectorModule.register()] })
export class ProjectorAppModule {}
