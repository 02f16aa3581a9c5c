import { expect } from '@jest/globals';
import { type RefusalCode, refusals } from '@kungfu/protocol';
import type { Answer } from '../index.ts';

/** That this is the refusal, in the one form that refusals have (contract.md, Shapes). */
export const expectRefused = (
  answer: Answer,
  code: RefusalCode,
  errors?: readonly { pointer: string; keyword: string }[],
): void => {
  const { status, title, detail, nextStep } = refusals[code];
  expect({ status: answer.status, ...answer.json }).toMatchObject({ status, title, detail, nextStep, code });
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(answer.headers['retry-after'] !== undefined).toBe(answer.json.retryAfter !== undefined);
  if (errors !== undefined)
    expect(
      answer.json.errors.map(({ pointer, keyword }: { pointer: string; keyword: string }) => ({ pointer, keyword })),
    ).toEqual(errors);
};
