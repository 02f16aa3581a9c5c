import type { Json } from './client.ts';
import type { Result } from './runner.ts';

export type Rule = { readonly id: string; readonly profile: string };

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
  /** Rules of the profiles that no case looks at: they cannot be seen from outside, or their case was not run. */
  readonly notSeen: readonly string[];
  readonly results: readonly Result[];
};

/** `about` is what the service says of itself at GET /v1. */
export const statementOf = (about: Json, rules: readonly Rule[], results: readonly Result[]): Statement => {
  const profiles: readonly string[] = about.profiles;
  const claimed = rules.filter(({ profile }) => profiles.includes(profile)).map(({ id }) => id);
  const of = (status: Result['status']) => results.filter((result) => result.status === status);
  const failing = new Set(of('failed').flatMap((result) => result.rules));
  const passing = new Set(of('passed').flatMap((result) => result.rules));
  return {
    specification: `${about.protocol.name} ${about.protocol.version}`,
    implementation: `${about.implementation.name} ${about.implementation.version}`,
    profiles,
    passed: of('passed').length,
    failed: of('failed').length,
    notRun: of('not run').length,
    shown: claimed.filter((id) => passing.has(id) && !failing.has(id)),
    unmet: claimed.filter((id) => failing.has(id)),
    notSeen: claimed.filter((id) => !passing.has(id) && !failing.has(id)),
    results,
  };
};

/** The statement for people. */
export const textOf = (statement: Statement): string => {
  const list = (ids: readonly string[]): string => (ids.length === 0 ? 'none' : ids.join(', '));
  const failures = statement.results.filter(({ status }) => status === 'failed');
  return [
    'Conformance statement',
    '',
    `Specification:   ${statement.specification}`,
    `Implementation:  ${statement.implementation}`,
    `Profiles:        ${statement.profiles.join(', ')}`,
    `Evidence:        ${statement.passed} cases passed, ${statement.failed} failed, ${statement.notRun} not run, over HTTP`,
    `Shown rules:     ${statement.shown.length} of ${statement.shown.length + statement.unmet.length + statement.notSeen.length}`,
    `Unmet rules:     ${list(statement.unmet)}`,
    `Not seen:        ${list(statement.notSeen)}`,
    ...failures.flatMap(({ rules, says, why }) => ['', `FAILED [${rules.join('] [')}] ${says}`, `  ${why}`]),
  ].join('\n');
};
