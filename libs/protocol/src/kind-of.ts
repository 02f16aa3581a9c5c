import { agentKind } from './agent/agent.ts';
import { memoryKind } from './memory/memory.ts';
import { threadKind } from './thread/decide.ts';

const kinds = { agent: agentKind, memory: memoryKind, thread: threadKind } as const;

/** The rules of a kind of object, by its name. */
export const kindOf = <N extends keyof typeof kinds>(name: N): (typeof kinds)[N] => kinds[name];
