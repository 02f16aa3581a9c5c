import { readFile } from 'node:fs/promises';
import type { System } from '../index.ts';

/** pino's number of `error`; `fatal` is above it. */
const errorLevel = 50;

/** What services have logged as errors, or worse: faults and alarms. What is expected when others are killed is a warning. */
export const loggedErrors = async (system: System): Promise<readonly string[]> => {
  const texts = await Promise.all(system.outputFiles().map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter(isError));
};

/** Output that is no JSON was not logged: what is told to whoever started the process. */
const isError = (line: string): boolean => {
  const level = /^\{"level":([0-9]+),/.exec(line)?.[1];
  return level !== undefined && Number(level) >= errorLevel;
};
