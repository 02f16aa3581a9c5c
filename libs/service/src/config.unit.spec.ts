import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from '@kungfu/protocol';
import { ConfigError, readConfig } from './config.ts';

describe('the configuration', () => {
  it('[L4-4] takes limits that differ from the defaults, and keeps the others', () => {
    expect(readConfig({}).KUNGFU_LIMITS).toEqual(defaultLimits);
    expect(readConfig({ KUNGFU_LIMITS: '{"membersMax":1000}' }).KUNGFU_LIMITS).toEqual({
      ...defaultLimits,
      membersMax: 1_000,
    });
  });
  it('[B-3] takes AKEP to be off, and nothing else while it has no doors', () => {
    expect(readConfig({}).KUNGFU_AKEP).toBe(false);
    expect(readConfig({ KUNGFU_AKEP: 'off' }).KUNGFU_AKEP).toBe(false);
    expect(() => readConfig({ KUNGFU_AKEP: 'on' })).toThrow('KUNGFU_AKEP');
  });
  it('takes origins of pages as browsers send them', () => {
    expect(readConfig({}).KUNGFU_CORS_ORIGINS).toEqual([]);
    expect(readConfig({ KUNGFU_CORS_ORIGINS: 'https://a.example, http://localhost:3000' }).KUNGFU_CORS_ORIGINS).toEqual(
      ['https://a.example', 'http://localhost:3000'],
    );
    for (const wrong of ['a.example', 'https://a.example/', '*'])
      expect(() => readConfig({ KUNGFU_CORS_ORIGINS: wrong })).toThrow('KUNGFU_CORS_ORIGINS');
  });
  it.each([
    ['no JSON', '{', 'KUNGFU_LIMITS'],
    ['an unknown limit', '{"memberMax":1}', 'memberMax'],
    ['a limit that is no whole number', '{"membersMax":1.5}', 'membersMax'],
    ['a limit below zero', '{"membersMax":-1}', 'membersMax'],
    ['no object', '7', 'KUNGFU_LIMITS'],
  ])('refuses %s by name', (_, text, named) => {
    expect(() => readConfig({ KUNGFU_LIMITS: text })).toThrow(ConfigError);
    expect(() => readConfig({ KUNGFU_LIMITS: text })).toThrow(named);
  });
});
