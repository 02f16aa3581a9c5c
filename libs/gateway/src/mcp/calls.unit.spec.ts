import { describe, expect, it } from '@jest/globals';
import { actionCatalogue, type ActionDefinition, type ActionName, readCatalogue } from '@kungfu/protocol';
import type { Outcome, PublicRequest } from '../http/pipeline-port.ts';
import { requestMaker } from '../http/public-request.ts';
import type { ReadCall } from '../reads/reads.ts';
import type { Args } from './arguments.ts';
import { Calls } from './calls.ts';
import { toolSets } from './sets.ts';

const id = (prefix: string): string => `${prefix}_01h00000000000000000000000`;
const [agent, other, thread, task, memory] = ['agent', 'agent', 'thread', 'task', 'memory'].map(id) as [
  string,
  string,
  string,
  string,
  string,
];
const engagement = `${task}/engagements/${id('engagement')}`;
const key = 'k1';
const actions = actionCatalogue();
const tools = toolSets().find(({ path }) => path === '/mcp/x/all')!.tools;

/** What reaches the pipeline and the reads, and what the caller is told. */
const door = (outcome: Outcome = { kind: 'refused', code: 'wrong_state' }) => {
  const acted: PublicRequest[] = [];
  const asked: ReadCall[] = [];
  const behind = {
    act: async (request: PublicRequest) => {
      acted.push(request);
      return outcome;
    },
    ask: async (call: ReadCall) => {
      asked.push(call);
      return { kind: 'found' as const, body: { items: [], cursor: null } };
    },
    logger: { error: () => undefined },
  };
  const calls = new Calls(behind, actions, readCatalogue());
  const call = (tool: string, args: Args) =>
    calls.call(tools.find(({ name }) => name === tool)!, args, { agent, signal: new AbortController().signal });
  return { acted, asked, call };
};

type Same = readonly [
  tool: string,
  args: Args,
  action: ActionName,
  path: Readonly<Record<string, string>>,
  body: object,
];
const entry = { thread, entry: '7' };
const assignment = { thread, assignment: '2' };
const engaged = { task, engagement: id('engagement') };
const content = { body: 'words' };
/** A call of a tool, and the request of HTTP that means the same. */
const same: readonly Same[] = [
  ['kungfu_post', { ref: thread, body: 'words' }, 'thread.post', { thread }, { content }],
  [
    'kungfu_post',
    { ref: `${thread}/entries/7`, body: 'words', ask: 'nobody' },
    'thread.post',
    { thread },
    { content, replyTo: `${thread}/entries/7`, ask: [] },
  ],
  [
    'kungfu_post',
    { ref: thread, body: 'words', assignTo: other, wanted: 'w', criteria: 'c' },
    'thread.post',
    { thread },
    { content, assign: { to: other, content: { wanted: 'w', criteria: 'c' } } },
  ],
  ['kungfu_handle', { ref: `${thread}/entries/7` }, 'thread.handle', entry, {}],
  ['kungfu_take', { ref: `${thread}/assignments/2` }, 'assignment.take', assignment, {}],
  ['kungfu_take', { ref: task, version: 1 }, 'task.take', { task }, { version: 1 }],
  [
    'kungfu_deliver',
    { ref: engagement, payload: { a: 1 } },
    'engagement.deliver',
    engaged,
    { delivery: { content: { payload: { a: 1 } } } },
  ],
  ['kungfu_judge', { ref: engagement, verdict: 'adopt' }, 'engagement.adopt', engaged, {}],
  [
    'kungfu_judge',
    { ref: `${thread}/assignments/2`, verdict: 'reject', reason: 'thin' },
    'assignment.reject',
    assignment,
    { content: { reason: 'thin' } },
  ],
  ['kungfu_drop', { ref: engagement }, 'engagement.drop', engaged, {}],
  ['kungfu_remember', { body: 'words' }, 'memory.create', {}, { content }],
  ['kungfu_remember', { ref: memory, body: 'words' }, 'memory.update', { memory }, { content }],
  ['kungfu_remember', { ref: memory, publish: true }, 'memory.publish', { memory }, {}],
];

describe('a tool call', () => {
  it.each(same)('[C-5] is the request that HTTP makes: %s %j → %s', async (tool, args, action, path, body) => {
    const { acted, call } = door();
    await call(tool, { ...args, key });
    const expected = requestMaker(actions[action] as ActionDefinition)({ agent, key, path, body });
    expect(expected).not.toHaveProperty('kind');
    expect(acted).toEqual([expected]);
  });

  it('[C-5] that reads asks what HTTP asks, as the same agent', async () => {
    const { asked, call } = door();
    await call('kungfu_open', { ref: `${thread}/entries/7` });
    await call('kungfu_find', { what: 'entries', ref: thread, order: 'newest', limit: 5 });
    expect(asked.map(({ agent: who, read, path }) => ({ who, read, path }))).toEqual([
      { who: agent, read: 'thread.entry', path: entry },
      { who: agent, read: 'thread.entries', path: { thread } },
    ]);
    expect(asked[1]!.query).toMatchObject({ order: 'newest', limit: 5 });
  });

  it('[C-5] [L2-3] that is refused says the code, sentence and next step of HTTP', async () => {
    const { call } = door();
    const { isError, structuredContent, content: told } = await call('kungfu_drop', { ref: engagement, key });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ code: 'wrong_state', status: 409, nextStep: 'stop' });
    expect(JSON.parse((told[0] as { text: string }).text)).toEqual(structuredContent);
  });

  it('that does not fit reaches nothing, and says where in its own arguments', async () => {
    const { acted, call } = door();
    const cases: readonly (readonly [string, Args, string])[] = [
      ['kungfu_post', { ref: thread, body: 'words' }, '/key'],
      ['kungfu_post', { ref: thread, body: 7, key }, '/body'],
      ['kungfu_post', { ref: thread, body: 'words', nonsense: 1, key }, '/nonsense'],
      ['kungfu_judge', { ref: engagement, key }, '/verdict'],
      ['kungfu_drop', { ref: memory, key }, '/ref'],
    ];
    for (const [tool, args, pointer] of cases) {
      const { structuredContent } = await call(tool, args);
      expect([tool, structuredContent]).toEqual([
        tool,
        expect.objectContaining({
          code: 'invalid',
          errors: expect.arrayContaining([expect.objectContaining({ pointer })]),
        }),
      ]);
    }
    const { structuredContent } = await call('kungfu_post', { ref: thread, key });
    expect(structuredContent).toMatchObject({ errors: [{ keyword: 'oneOf', alternatives: ['/body', '/memory'] }] });
    expect(acted).toEqual([]);
  });
});
