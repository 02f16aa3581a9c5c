import { type StartOptions, type System, startKafkaServices, startStandalone } from '@kungfu/e2e';
import { type Measured, measured } from '../measure/measured.ts';
import type { LogName, Options } from '../options.ts';
import { rowOf } from '../report.ts';
import { doors } from './doors.ts';
import { Poster } from './poster.ts';
import { setUp } from './set-up.ts';

/** Measures posting on a Kungfu of its own, and prints each row as it comes. The load comes from this process. */
export const measureProduct = async (log: LogName, options: Options): Promise<readonly Measured[]> => {
  const system = await start(log, options);
  try {
    const cast = await setUp(system);
    const rows: Measured[] = [];
    for (const connections of options.connections) {
      const poster = new Poster(system.anyone.origin, connections, doors[options.door](options.contentBytes), cast);
      const watched = [{ label: 'load', pid: process.pid }, ...system.processes()];
      const row = await measured({ ...options, connections }, watched, () => poster.post());
      await poster.close();
      console.log(rowOf(`Kungfu ${log}${options.door === 'http' ? '' : `, ${options.door}`}`, row));
      rows.push(row);
    }
    return rows;
  } finally {
    await system.stop();
  }
};

const start = async (log: LogName, { partitions, profile }: Options): Promise<System> => {
  const options: StartOptions = {
    partitions,
    rateLimits: false,
    logLevel: 'warn',
    ...(profile === undefined ? {} : { profile }),
  };
  if (log === 'postgres') return startStandalone(options);
  const services = await startKafkaServices(options);
  if ('skip' in services) throw new Error(services.skip);
  return services;
};
