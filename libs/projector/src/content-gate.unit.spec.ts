import { describe, expect, it } from '@jest/globals';
import type { Log } from '@kungfu/log-port';
import { startOf } from '@kungfu/read-model';
import { ContentGate } from './content-gate.ts';

/** A gate over a content log with these ends, and a store that stands at these positions. */
const gateOver = (ends: Record<number, number>, stored: Record<number, number> = {}) => {
  const log = { end: async ({ partition }: { partition: number }) => ends[partition] ?? 0 } as unknown as Log;
  return new ContentGate(log, async (partitions) =>
    partitions.map((place) => ({ ...startOf(place), next: stored[place.partition] ?? 0 })),
  );
};

describe('the gate of content', () => {
  it('opens when the position that a fact carries has been passed, in each partition', () => {
    const gate = gateOver({ 0: 9, 1: 9 });
    const needs = [
      { partition: 0, next: 3 },
      { partition: 1, next: 5 },
    ];
    expect(gate.passed(needs)).toBe(false);
    gate.note({ partition: 0, next: 3 });
    expect(gate.passed(needs)).toBe(false);
    gate.note({ partition: 1, next: 6 });
    expect(gate.passed(needs)).toBe(true);
    gate.note({ partition: 1, next: 2 });
    expect(gate.passed(needs)).toBe(true);
  });

  it('learns from the store what another instance has projected', async () => {
    const gate = gateOver({ 0: 9 }, { 0: 4 });
    expect(await gate.refresh()).toBe(false);
    expect(gate.passed([{ partition: 0, next: 4 }])).toBe(false);
    expect(await gate.refresh()).toBe(true);
    expect(gate.passed([{ partition: 0, next: 4 }])).toBe(true);
  });

  it('opens at the end of the log for content that the log has lost, and only for that', async () => {
    const ends = { 0: 2 };
    const gate = gateOver(ends, { 0: 1 });
    expect(gate.passed([{ partition: 0, next: 5 }])).toBe(false);
    expect(await gate.refresh()).toBe(false);
    gate.note({ partition: 0, next: 2 });
    expect(gate.passed([{ partition: 0, next: 5 }])).toBe(true);
    ends[0] = 9;
    expect(gate.passed([{ partition: 0, next: 8 }])).toBe(false);
    await gate.refresh();
    expect(gate.passed([{ partition: 0, next: 8 }])).toBe(false);
  });
});
