import { expect, it } from '@jest/globals';
import { pathOf, workOf } from './reference.ts';

const thread = 'thread_00000000000000000000000001';
const task = 'task_00000000000000000000000001';
const engagement = 'engagement_00000000000000000000000001';
const memory = 'memory_00000000000000000000000001';

it('finds where a reference is read', () => {
  expect(pathOf(thread)).toBe(`/v1/threads/${thread}`);
  expect(pathOf(`${thread}/entries/7`)).toBe(`/v1/threads/${thread}/entries/7`);
  expect(pathOf(`${thread}/assignments/2`)).toBe(`/v1/threads/${thread}/assignments/2`);
  expect(pathOf(`${memory}/versions/4`)).toBe(`/v1/memories/${memory}/versions/4`);
  expect(pathOf(`${task}/versions/4`)).toBe(`/v1/tasks/${task}/versions/4`);
  expect(pathOf(`${task}/engagements/${engagement}`)).toBe(`/v1/tasks/${task}/engagements/${engagement}`);
});

it('tells what is no reference, and what is no work', () => {
  for (const text of ['', 'thread_1', `${thread}/entries/0`, `${task}/engagements/7`, `../${thread}`])
    expect(() => pathOf(text)).toThrow('is no reference');
  expect(workOf(`${thread}/assignments/2`)).toEqual({ kind: 'assignment', thread, assignment: 2 });
  expect(() => workOf(thread)).toThrow('neither an assignment nor an engagement');
});
