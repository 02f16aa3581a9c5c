import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { mechanisms } from './service.ts';

const text = readFileSync(new URL('../../../../docs/tasks.md', import.meta.url), 'utf8');

it('[K-17] [K-18] [K-19] the Task mechanisms are written down and versioned, as the service tells', () => {
  expect(text).toContain(`# Task mechanisms, version ${mechanisms.tasks}\n`);
  for (const mechanism of [
    'task_paused',
    'eligibility',
    'no approval',
    'adoption_limit',
    'capacity_engagements',
    'listed',
  ])
    expect(text).toContain(mechanism);
});
