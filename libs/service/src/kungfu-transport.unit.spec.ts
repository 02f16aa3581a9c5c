import { describe, expect, it } from '@jest/globals';
import { KungfuTransport } from './kungfu-transport.ts';
import type { NamedLoop } from './loop.ts';

const recording = (said: string[], name: string, { startFails = false, stopFails = false } = {}): NamedLoop => ({
  name,
  loop: {
    start: async () => {
      if (startFails) throw new Error(`${name} cannot`);
      said.push(`+${name}`);
    },
    stop: async () => {
      said.push(`-${name}`);
      if (stopFails) throw new Error(`${name} will not`);
    },
  },
});
const listen = (transport: KungfuTransport): Promise<unknown> => new Promise((resolve) => transport.listen(resolve));

describe('the transport', () => {
  it('starts its loops in order and stops them in reverse order', async () => {
    const said: string[] = [];
    const transport = new KungfuTransport([recording(said, 'owner'), recording(said, 'door')]);
    expect(transport.state).toBe('idle');
    expect(await listen(transport)).toBeUndefined();
    expect(transport.state).toBe('running');
    await Promise.all([transport.close(), transport.close()]);
    expect(transport.state).toBe('stopped');
    expect(said).toEqual(['+owner', '+door', '-door', '-owner']);
  });
  it('tells of a loop that cannot start, and stops only those that did', async () => {
    const said: string[] = [];
    const transport = new KungfuTransport([
      recording(said, 'owner'),
      recording(said, 'door', { startFails: true }),
      recording(said, 'never'),
    ]);
    expect(await listen(transport)).toEqual(new Error('door cannot'));
    expect(transport.state).toBe('starting');
    await transport.close();
    expect(said).toEqual(['+owner', '-owner']);
  });
  it('stops every loop although one fails to, and tells of it', async () => {
    const said: string[] = [];
    const transport = new KungfuTransport([recording(said, 'owner'), recording(said, 'door', { stopFails: true })]);
    await listen(transport);
    await expect(transport.close()).rejects.toThrow('door will not');
    expect(said).toEqual(['+owner', '+door', '-door', '-owner']);
  });
  it('closed while it starts, starts no further loop', async () => {
    const said: string[] = [];
    let goOn = (): void => {};
    const slow: NamedLoop = {
      name: 'slow',
      loop: { start: () => new Promise((resolve) => (goOn = resolve)), stop: async () => void said.push('-slow') },
    };
    const transport = new KungfuTransport([slow, recording(said, 'never')]);
    const listening = listen(transport);
    const closing = transport.close();
    goOn();
    await Promise.all([listening, closing]);
    expect(said).toEqual(['-slow']);
  });
});
