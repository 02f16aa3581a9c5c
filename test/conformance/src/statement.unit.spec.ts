import { expect, it } from '@jest/globals';
import { Service } from './client.ts';
import { runAll, shows, showsInTime } from './runner.ts';
import { statementOf, textOf } from './statement.ts';

const about = {
  protocol: { name: 'Kungfu', version: '1.0.0' },
  implementation: { name: 'x', version: '2' },
  profiles: ['Memory', 'Task'],
};
const rules = [
  { id: 'M-1', profile: 'Memory' },
  { id: 'M-2', profile: 'Memory' },
  { id: 'K-1', profile: 'Task' },
  { id: 'T-1', profile: 'Thread' },
];
const nowhere = new Service({ url: 'http://127.0.0.1:1', adminUrl: 'http://127.0.0.1:1', adminToken: 't' });

it('[C-1] a statement tells passed, failed and unseen rules of the profiles that the service claims', async () => {
  const told: string[] = [];
  const cases = [
    shows('M-1 T-1', 'this is so', async () => {}),
    shows('M-2', 'this is not so', async () => {
      throw new Error('because');
    }),
    shows('M-1', 'this is so too', async () => {}),
    showsInTime('K-1', 'this takes long', async () => {}),
  ];
  const results = await runAll(nowhere, cases, { deadlines: false, told: ({ says }) => told.push(says) });
  expect(told.sort()).toEqual(['this is not so', 'this is so', 'this is so too']);
  const statement = statementOf(about, rules, results);
  expect(statement).toMatchObject({
    passed: 2,
    failed: 1,
    notRun: 1,
    shown: ['M-1'],
    unmet: ['M-2'],
    notSeen: ['K-1'],
  });
  expect(textOf(statement)).toContain('FAILED [M-2] this is not so\n  because');
  const timed = await runAll(nowhere, cases, { deadlines: true, told: () => {} });
  expect(timed.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed', 'passed']);
});

it('a service that is not there fails every case with what happened', async () => {
  const cases = [shows('M-1', 'there is a memory', async (s) => void (await s.agent()))];
  const [result] = await runAll(nowhere, cases, { deadlines: true, told: () => {} });
  expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('fetch failed') });
});
