import type { Case } from '../runner.ts';
import { accountCases } from './accounts.ts';
import { assignmentCases } from './assignments.ts';
import { closingCases } from './closing.ts';
import { everyActionCases } from './every-action.ts';
import { invariantCases } from './invariants.ts';
import { limitCases } from './limits.ts';
import { memoryCases } from './memories.ts';
import { replayCases } from './replay.ts';
import { responseCases } from './responses.ts';
import { taskCases } from './tasks.ts';
import { threadCases } from './threads.ts';
import { turnCases } from './turn.ts';
import { unknownCases } from './unknown.ts';
import { visibilityCases } from './visibility.ts';

export const allCases: readonly Case[] = [
  ...invariantCases,
  ...replayCases,
  ...everyActionCases,
  ...accountCases,
  ...memoryCases,
  ...threadCases,
  ...responseCases,
  ...assignmentCases,
  ...taskCases,
  ...turnCases,
  ...visibilityCases,
  ...unknownCases,
  ...limitCases,
  ...closingCases,
];
