import { describe, expect, it } from '@jest/globals';
import { ada, engagementNumber, memoryNumber, taskNumber, threadNumber } from '../testing/index.ts';
import {
  assignmentRef,
  contractRef,
  engagementRef,
  entryRef,
  grantRef,
  memberRef,
  parseOrdinal,
  parseReference,
  versionRef,
} from './references.ts';

const [task, engagement, thread, memory] = [taskNumber(1), engagementNumber(2), threadNumber(3), memoryNumber(4)];

describe('a reference', () => {
  it('is read as it was handed out', () => {
    expect(parseReference(task)).toEqual({ kind: 'task', task });
    expect(parseReference(contractRef(task, 7))).toEqual({ kind: 'contract', task, version: 7 });
    expect(parseReference(engagementRef(task, engagement))).toEqual({ kind: 'engagement', task, engagement });
    expect(parseReference(thread)).toEqual({ kind: 'thread', thread });
    expect(parseReference(entryRef(thread, 7))).toEqual({ kind: 'entry', thread, entry: 7 });
    expect(parseReference(assignmentRef(thread, 2))).toEqual({ kind: 'assignment', thread, assignment: 2 });
    expect(parseReference(memberRef(thread, ada))).toEqual({ kind: 'member', thread, member: ada });
    expect(parseReference(memory)).toEqual({ kind: 'memory', memory });
    expect(parseReference(versionRef({ id: memory, version: 4 }))).toEqual({ kind: 'version', memory, version: 4 });
    expect(parseReference(ada)).toEqual({ kind: 'agent', agent: ada });
  });
  it('is written like this', () => {
    expect(contractRef(task, 7)).toBe(`${task}/versions/7`);
    expect(engagementRef(task, engagement)).toBe(`${task}/engagements/${engagement}`);
    expect(grantRef(thread, 1)).toBe(`${thread}/grants/1`);
  });
  it('is none when anything of it is off', () => {
    for (const text of [
      '',
      engagement,
      `${task}/`,
      `${task}/versions`,
      `${task}/versions/0`,
      `${task}/versions/07`,
      `${task}/versions/1/2`,
      `${task}/versions/${engagement}`,
      `${task}/engagements`,
      `${task}/engagements/1`,
      `${task}/engagements/${task}`,
      `${task}/engagements/${engagement}/`,
      `${task}/entries/1`,
      `${thread}/engagements/${engagement}`,
      `${thread}/versions/1`,
      `${memory}/entries/1`,
      `${ada}/versions/1`,
      task.toUpperCase(),
      `${task} `,
      `task_${'z'.repeat(26)}`,
    ])
      expect([text, parseReference(text)]).toEqual([text, undefined]);
  });
  it('has numbers from 1 that every store can hold', () => {
    expect(parseOrdinal('1')).toBe(1);
    expect(parseOrdinal('2147483647')).toBe(2_147_483_647);
    for (const text of ['0', '01', '+1', '1.0', ' 1', '1e3', '', '2147483648', '99999999999', undefined])
      expect(parseOrdinal(text)).toBeUndefined();
  });
});
