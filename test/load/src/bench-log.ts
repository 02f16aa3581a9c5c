import { join } from 'node:path';
import { temporaryFolder } from '@kungfu/e2e';
import type { Measured } from './measure/measured.ts';
import type { LogName, Options } from './options.ts';
import { measureProduct } from './product/measure.ts';
import { measureRaw } from './raw/measure.ts';

/** What was measured on one log. */
export type LogReport = {
  readonly log: LogName;
  readonly raw: readonly Measured[];
  readonly product: readonly Measured[];
};

/** Measures the raw pipeline, then the product, each on servers of its own. */
export const benchLog = async (log: LogName, options: Options): Promise<LogReport> => {
  const folder = await temporaryFolder(`bench-${log}`);
  try {
    const raw = options.parts.includes('raw') ? await measureRaw(log, options, join(folder.path, 'raw')) : [];
    const product = options.parts.includes('product') ? await measureProduct(log, options) : [];
    return { log, raw, product };
  } finally {
    await folder.remove();
  }
};
