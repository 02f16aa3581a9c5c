import type { Context } from '../kernel.ts';
import { type AkepLimits, defaultAkepLimits } from '../limits.ts';

/** A capacity of an inbox (L4-4). */
export const limitOf = ({ limits }: Context, name: keyof AkepLimits): number => limits[name] ?? defaultAkepLimits[name];
