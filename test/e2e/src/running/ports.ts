import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems hand out to connections (32768 and up on Linux, 49152 elsewhere): a service that is killed and started again
 * must find its port free, however many connections were opened meanwhile. From 10081 on, fetch knows no bad ones.
 */
const [first, beyond] = [10_081, 32_768];
const triesMax = 100;

/** So many ports of loopback that are free now, and that no connection takes. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const probes: { readonly port: number; readonly close: () => Promise<void> }[] = [];
  for (let tries = 0; probes.length < count; tries++) {
    if (tries === triesMax) throw new Error(`no ${count} free ports from ${first} to ${beyond - 1}`);
    const probe = await listen(randomInt(first, beyond));
    if (probe !== undefined) probes.push(probe);
  }
  await Promise.all(probes.map(({ close }) => close()));
  return probes.map(({ port }) => port);
};

const listen = (port: number): Promise<{ port: number; close: () => Promise<void> } | undefined> =>
  new Promise((done, failed) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? done(undefined) : failed(error),
    );
    server.listen(port, '127.0.0.1', () =>
      done({ port, close: () => new Promise((closed) => server.close(() => closed())) }),
    );
  });
