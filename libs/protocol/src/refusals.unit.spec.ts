import { describe, expect, it } from '@jest/globals';
import { nextSteps, type RefusalCode, refusals } from './refusals.ts';

const withStep = (step: string): readonly string[] =>
  (Object.keys(refusals) as RefusalCode[]).filter((code) => refusals[code].nextStep === step).sort();

describe('the refusals', () => {
  it('[L2-3] each says why and what to do next, in a sentence of its own', () => {
    const all = Object.values(refusals);
    expect(new Set(all.map(({ detail }) => detail)).size).toBe(all.length);
    for (const { title, detail, status } of all) {
      expect(title.length).toBeGreaterThan(3);
      expect(detail).toMatch(/\.$/);
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });
  it('[O-13] retry is said where a precondition can be mended or the outcome is not known, wait where time helps, done where it is so already', () => {
    expect(withStep('wait')).toEqual(
      [
        'capacity_assignments',
        'capacity_engagements',
        'capacity_members',
        'capacity_responses',
        'overloaded',
        'rate_limited',
        'task_paused',
      ].sort(),
    );
    expect(withStep('done')).toEqual(['no_effect', 'not_pending']);
    expect(withStep('judge')).toEqual(['adoption_limit']);
    expect(withStep('retry')).toEqual(
      [
        'last_governor',
        'invalid_target',
        'schema_mismatch',
        'invalid',
        'too_large',
        'changed',
        'idempotency_conflict',
        'expired',
        'interrupted',
        'pending',
        'malformed',
        'invalid_cursor',
        'method_not_allowed',
        'unsupported_media_type',
      ].sort(),
    );
    for (const { nextStep } of Object.values(refusals)) expect(nextSteps).toContain(nextStep);
  });
});
