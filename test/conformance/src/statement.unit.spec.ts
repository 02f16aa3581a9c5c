import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { allCases } from './cases/index.ts';
import { Service } from './client.ts';
import { NotSeen, runAll, shows, showsInTime } from './runner.ts';
import { notVisible, statementOf, textOf } from './statement.ts';

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
    notVisible: [],
    rules: [
      { id: 'M-1', passed: 2, failed: 0, notRun: 0 },
      { id: 'M-2', passed: 0, failed: 1, notRun: 0 },
      { id: 'K-1', passed: 0, failed: 0, notRun: 1 },
    ],
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

it('what a service gives no occasion for is not run, and a rule that nobody can see stands apart', async () => {
  const cases = [
    shows('M-1', 'rates are limited', async () => {
      throw new NotSeen('they are not');
    }),
  ];
  const results = await runAll(nowhere, cases, { deadlines: true, told: () => {} });
  const statement = statementOf(about, [...rules, { id: 'L1-1', profile: 'Memory' }], results, ['K-17: none']);
  expect(statement).toMatchObject({ notRun: 1, notSeen: ['M-1', 'M-2', 'K-1'], notVisible: ['L1-1'] });
  const text = textOf(statement);
  expect(text).toContain('NOT RUN [M-1] rates are limited\n  they are not');
  expect(text).toMatch(/Not visible from outside:\n {2}L1-1 .*\n\nKnown deviations and notes:\n {2}K-17: none/);
});

it('[C-1] every rule has a case, or a reason why it cannot have one', () => {
  const file = new URL('../../../docs/protocol/rules.json', import.meta.url);
  const ids = (JSON.parse(readFileSync(file, 'utf8')) as { rules: readonly { id: string }[] }).rules.map(
    ({ id }) => id,
  );
  const shown = new Set(allCases.flatMap(({ rules: ofCase }) => ofCase));
  expect([...shown].filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => shown.has(id) === (notVisible[id] !== undefined))).toEqual([]);
  const sentences = allCases.map(({ rules: ofCase, says }) => `${ofCase} ${says}`);
  expect(new Set(sentences).size).toBe(sentences.length);
});
