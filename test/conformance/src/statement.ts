import type { Json } from './client.ts';
import type { Result } from './runner.ts';

export type Rule = { readonly id: string; readonly profile: string };

/** Rules that nobody can see by asking a running service over HTTP, and why. */
export const notVisible: Readonly<Record<string, string>> = {
  'L1-1': 'whether state is a fold of facts shows only when stores are dropped',
  'L1-2': 'recorded facts are not served',
  'L1-3': 'the cause of a recorded fact is not served',
  'L2-5': 'that nothing repairs an action unasked has no occasion',
  'C-5': 'adapters are other doors than this one',
};

/** What the cases of one rule came to. */
export type Shown = { readonly id: string; readonly passed: number; readonly failed: number; readonly notRun: number };

/** What a run came to (§10.3). */
export type Statement = {
  readonly specification: string;
  readonly implementation: string;
  readonly profiles: readonly string[];
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** Rules by what the cases have shown. */
  readonly shown: readonly string[];
  readonly unmet: readonly string[];
  /** Rules of the profiles of which no case has run, though they could be seen. */
  readonly notSeen: readonly string[];
  /** Rules of the profiles that cannot be seen from outside. */
  readonly notVisible: readonly string[];
  /** Every rule of the profiles. */
  readonly rules: readonly Shown[];
  /** What the implementation says of itself: known deviations and notes. */
  readonly notes: readonly string[];
  readonly results: readonly Result[];
};

/** `about` is what the service says of itself at GET /v1. */
export const statementOf = (
  about: Json,
  rules: readonly Rule[],
  results: readonly Result[],
  notes: readonly string[] = [],
): Statement => {
  const profiles: readonly string[] = about.profiles;
  const counts = rules.filter(({ profile }) => profiles.includes(profile)).map(({ id }) => shownOf(id, results));
  const idsOf = (fits: (rule: Shown) => boolean): readonly string[] => counts.filter(fits).map(({ id }) => id);
  const unseen = idsOf(({ passed, failed }) => passed + failed === 0);
  return {
    specification: `${about.protocol.name} ${about.protocol.version}`,
    implementation: `${about.implementation.name} ${about.implementation.version}`,
    profiles,
    ...countsOf(results),
    shown: idsOf(({ passed, failed }) => passed > 0 && failed === 0),
    unmet: idsOf(({ failed }) => failed > 0),
    notSeen: unseen.filter((id) => notVisible[id] === undefined),
    notVisible: unseen.filter((id) => notVisible[id] !== undefined),
    rules: counts,
    notes,
    results,
  };
};

const countsOf = (results: readonly Result[]): Omit<Shown, 'id'> => {
  const count = (status: Result['status']): number => results.filter((result) => result.status === status).length;
  return { passed: count('passed'), failed: count('failed'), notRun: count('not run') };
};
const shownOf = (id: string, results: readonly Result[]): Shown => ({
  id,
  ...countsOf(results.filter(({ rules }) => rules.includes(id))),
});

/** The statement for people. */
export const textOf = (statement: Statement): string => {
  const { shown, unmet, notSeen, rules, notes, results } = statement;
  const of = (status: Result['status']) => results.filter((result) => result.status === status);
  return [
    'Conformance statement',
    '',
    `Specification:   ${statement.specification}`,
    `Implementation:  ${statement.implementation}`,
    `Profiles:        ${statement.profiles.join(', ')}`,
    `Evidence:        ${statement.passed} cases passed, ${statement.failed} failed, ${statement.notRun} not run, over HTTP`,
    `Shown rules:     ${shown.length} of ${rules.length}`,
    `Unmet rules:     ${listOf(unmet)}`,
    `Not seen:        ${listOf(notSeen)}`,
    '',
    'Cases by rule (passed, failed, not run):',
    ...rules.filter(({ id }) => !statement.notVisible.includes(id)).map(lineOf),
    '',
    'Not visible from outside:',
    ...statement.notVisible.map((id) => `  ${id.padEnd(6)}${notVisible[id]}`),
    ...(notes.length === 0 ? [] : ['', 'Known deviations and notes:', ...notes.map((note) => `  ${note}`)]),
    ...of('not run').flatMap(({ rules: ids, says, why }) => ['', `NOT RUN [${ids.join('] [')}] ${says}`, `  ${why}`]),
    ...of('failed').flatMap(({ rules: ids, says, why }) => ['', `FAILED [${ids.join('] [')}] ${says}`, `  ${why}`]),
  ].join('\n');
};

const listOf = (ids: readonly string[]): string => (ids.length === 0 ? 'none' : ids.join(', '));
const lineOf = ({ id, passed, failed, notRun }: Shown): string =>
  `  ${id.padEnd(6)}${[passed, failed, notRun].map((count) => String(count).padStart(4)).join('')}`;
