import { createServer } from 'node:net';

/** So many ports of loopback that are free now. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const probes = await Promise.all(Array.from({ length: count }, listen));
  await Promise.all(probes.map(({ close }) => close()));
  return probes.map(({ port }) => port);
};

const listen = (): Promise<{ port: number; close: () => Promise<void> }> =>
  new Promise((done, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return failed(new Error('no port'));
      done({ port: address.port, close: () => new Promise((closed) => server.close(() => closed())) });
    });
  });
