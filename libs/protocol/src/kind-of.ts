import { agentKind } from './agent/agent.ts';
import { inboxKind } from './inbox/decide.ts';
import { memoryKind } from './memory/memory.ts';
import { taskKind } from './task/decide.ts';
import { threadKind } from './thread/decide.ts';

const kinds = {
  agent: agentKind,
  memory: memoryKind,
  thread: threadKind,
  task: taskKind,
  'akep.inbox': inboxKind,
} as const;

/** The rules of a kind of object, by its name. */
export const kindOf = <N extends keyof typeof kinds>(name: N): (typeof kinds)[N] => kinds[name];
