import { describe, expect, it } from '@jest/globals';
import { Started } from './started.ts';

describe('what has been started', () => {
  it('is stopped last first, each once, also after a failure, which is then told', async () => {
    const said: string[] = [];
    const { value, stop } = await Started.all(async (started) => {
      started.add(async () => void said.push('database'));
      started.add(async () => {
        throw new Error('stuck');
      });
      started.add(async () => void said.push('door'));
      return 7;
    });
    expect(value).toBe(7);
    expect(said).toEqual([]);
    await expect(stop()).rejects.toThrow('stuck');
    expect(said).toEqual(['door', 'database']);
    await stop();
    expect(said).toEqual(['door', 'database']);
  });
  it('is stopped when a later start fails, and why that failed is told', async () => {
    const said: string[] = [];
    const starting = Started.all(async (started) => {
      started.add(async () => void said.push('database'));
      throw new Error('port in use');
    });
    await expect(starting).rejects.toThrow('port in use');
    expect(said).toEqual(['database']);
  });
});
