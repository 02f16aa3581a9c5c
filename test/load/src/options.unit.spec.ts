import { describe, expect, it } from '@jest/globals';
import { readOptions, UsageError } from './options.ts';

describe('the options of the bench', () => {
  it('default to both logs at 1, 16, 64 and 256 connections with 400 bytes', () => {
    expect(readOptions([])).toMatchObject({
      logs: ['postgres', 'kafka'],
      parts: ['raw', 'product'],
      door: 'http',
      connections: [1, 16, 64, 256],
      contentBytes: 400,
      measureMs: 10_000,
    });
  });

  it('measure reads instead of posts when asked to', () => {
    expect(readOptions([]).readCalls).toBeUndefined();
    expect(readOptions(['--reads']).readCalls).toBe(200);
    expect(readOptions(['--reads', '--calls', '1000']).readCalls).toBe(1_000);
  });

  it('refuse what they do not know, by name', () => {
    for (const args of [
      ['--log', 'files'],
      ['--door', 'window'],
      ['--connections', '0'],
      ['--connections', '1,x'],
      ['--seconds', '601'],
      ['--fast'],
    ]) {
      expect(() => readOptions(args)).toThrow(UsageError);
    }
    expect(() => readOptions(['--log', 'files'])).toThrow('--log takes postgres, kafka, both, not files');
  });
});
