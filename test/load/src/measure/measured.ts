import { closedLoop, type LoopOptions, type LoopResult, type Outcome } from './closed-loop.ts';
import { type CpuPercent, cpuPercent, cpuSeconds, type Watched } from './cpu.ts';

/** One row of the table. CPU in percent of one core, by process. */
export type Measured = LoopResult & { readonly cpu: CpuPercent };

/** Runs a closed loop and reads the CPU of the watched processes at the edges of its window. */
export const measured = async (
  options: Omit<LoopOptions, 'onWindow'>,
  watched: readonly Watched[],
  request: () => Promise<Outcome>,
): Promise<Measured> => {
  let before = cpuSeconds(watched);
  let after = before;
  const result = await closedLoop(
    {
      ...options,
      onWindow: (edge) => {
        if (edge === 'start') before = cpuSeconds(watched);
        else after = cpuSeconds(watched);
      },
    },
    request,
  );
  return { ...result, cpu: cpuPercent(before, after, result.seconds) };
};
