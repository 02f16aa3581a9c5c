import type { ActionInputs, ActionName } from '@kungfu/protocol';

/** Every action on a thread that an outsider can try, with an input that has the right shape. */
export const onThread = (agent: `agent_${string}`): readonly (readonly [ActionName, object])[] => {
  const all: { readonly [N in ActionName]?: ActionInputs[N] } = {
    'thread.grant': {},
    'thread.revoke-grant': {},
    'thread.leave': {},
    'thread.close': {},
    'thread.remove': { member: agent },
    'thread.set-role': { member: agent, role: 'observer' },
    'thread.post': { content: { body: 'x' }, replyTo: 1, ask: [agent] },
    'thread.handle': { entry: 1 },
    'thread.retract': { entry: 1 },
    'assignment.take': { assignment: 1, delivery: { content: { payload: 1 } } },
    'assignment.deliver': { assignment: 1, delivery: { content: { payload: 1 } } },
    'assignment.drop': { assignment: 1 },
    'assignment.void': { assignment: 1 },
    'assignment.adopt': { assignment: 1 },
    'assignment.reject': { assignment: 1, content: { reason: 'x' } },
  };
  return Object.entries(all) as readonly (readonly [ActionName, object])[];
};

/** Every action on a Memory. */
export const onMemory: readonly (readonly [ActionName, object])[] = [
  ['memory.update', { content: { body: 'x' } }],
  ['memory.publish', {}],
  ['memory.unpublish', {}],
  ['memory.withdraw', {}],
];

/** Every read of something inside a thread or a Memory. */
export const readsOf = (thread: string, memory: string): readonly string[] => [
  ...['', '/members', '/entries', '/entries/1', '/entries/1/content', '/assignments', '/assignments/1'].map(
    (rest) => `/v1/threads/${thread}${rest}`,
  ),
  ...['/assignments/1/content', '/assignments/1/payload/content'].map((rest) => `/v1/threads/${thread}${rest}`),
  ...['', '/content', '/versions', '/versions/1', '/versions/1/content'].map((rest) => `/v1/memories/${memory}${rest}`),
];

/** Paths that name nothing, however they are read. */
export const oddPaths = (thread: string): readonly string[] => [
  '/v1/threads/x',
  '/v1/threads/thread_x',
  `/v1/threads/${thread.toUpperCase()}`,
  `/v1/threads/${thread}%00`,
  `/v1/threads/..%2f..%2fadmin`,
  `/v1/threads/${encodeURIComponent("' or 1=1 --")}`,
  ...['0', '-1', '01', '1.0', '1e3', '99999999999', '4294967297', 'x', '%F0%9F%90%99'].map(
    (entry) => `/v1/threads/${thread}/entries/${entry}`,
  ),
  `/v1/memories/${thread}`,
  `/v1/nothing`,
  `/v1/${'x'.repeat(5_000)}`,
];
