import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { READS, type ReadAnswer, type ReadCall, type Reads } from '../reads/reads.ts';
import { type Outcome, PIPELINE, type Pipeline, type PublicRequest } from './pipeline-port.ts';

/** An action on its way to its outcome. */
export class Act extends Command<Outcome> {
  constructor(readonly request: PublicRequest) {
    super();
  }
}

@CommandHandler(Act)
export class ActHandler implements ICommandHandler<Act> {
  constructor(@Inject(PIPELINE) private readonly pipeline: Pipeline) {}

  execute({ request }: Act): Promise<Outcome> {
    return this.pipeline.execute(request);
  }
}

/** A read on its way to its answer. */
export class Ask extends Query<ReadAnswer> {
  constructor(readonly call: ReadCall) {
    super();
  }
}

@QueryHandler(Ask)
export class AskHandler implements IQueryHandler<Ask> {
  constructor(@Inject(READS) private readonly reads: Reads) {}

  execute({ call }: Ask): Promise<ReadAnswer> {
    return this.reads.answer(call);
  }
}
