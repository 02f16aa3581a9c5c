import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './config.ts';
import { Complaint, explain } from './exit.ts';
import { described } from './logger.ts';

describe('an error at the start', () => {
  it('is told in one line when its reader can mend it', () => {
    expect(explain(Object.assign(new Error('listen'), { code: 'EADDRINUSE', port: 4600, address: '127.0.0.1' }))).toBe(
      'port 4600 of 127.0.0.1 is in use',
    );
    expect(explain(new Complaint('no such folder'))).toBe('no such folder');
    expect(explain(new Error('a bug'))).toBeUndefined();
    expect(explain('a bug')).toBeUndefined();
  });
  it('names the setting that is wrong', () => {
    expect(() => readConfig({ KUNGFU_PORT: '70000', KUNGFU_LOG: 'paper' })).toThrow(ConfigError);
    expect(() => readConfig({ KUNGFU_PORT: '70000', KUNGFU_LOG: 'paper' })).toThrow(/KUNGFU_LOG: .*KUNGFU_PORT: /);
  });
});

describe('a log line about an error', () => {
  it('[C-3] holds none of what a driver hangs on it', () => {
    const error = Object.assign(new Error('no'), {
      code: '23505',
      detail: 'Key (body)=(a secret)',
      client: { password: 'p' },
    });
    const outer = new Error('outer', { cause: error });
    expect(described(outer)).toEqual({
      type: 'Error',
      message: 'outer',
      stack: outer.stack,
      cause: { type: 'Error', message: 'no', code: '23505', stack: error.stack },
    });
    expect(described('text')).toEqual({ type: 'string', message: 'text' });
  });
});
