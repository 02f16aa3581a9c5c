import type { Service } from './client.ts';
import { Scene } from './scene.ts';

/** What one case shows of some rules. */
export type Case = {
  readonly rules: readonly string[];
  /** In one sentence, what is so. */
  readonly says: string;
  /** Waits for a deadline to pass; its seconds are the shortest that the service allows. */
  readonly deadline?: true;
  readonly run: (scene: Scene) => Promise<void>;
};

/** A case that this service gives no occasion for, and why: it counts as not run. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

export type Result = {
  readonly rules: readonly string[];
  readonly says: string;
  readonly status: 'passed' | 'failed' | 'not run';
  readonly why?: string;
};

/** A case by its rules and its sentence. */
export const shows = (rules: string, says: string, run: Case['run']): Case => ({ rules: rules.split(' '), says, run });
/** A case that waits for a deadline. */
export const showsInTime = (rules: string, says: string, run: Case['run']): Case => ({
  ...shows(rules, says, run),
  deadline: true,
});

/** Cases at a time: each has agents of its own. */
const atOnce = 4;

/** Runs every case; those with deadlines all begin at once, beside the others. */
export const runAll = async (
  service: Service,
  cases: readonly Case[],
  { deadlines, told }: { readonly deadlines: boolean; readonly told: (result: Result) => void },
): Promise<readonly Result[]> => {
  const results = new Map<Case, Result>();
  const one = async (tried: Case): Promise<void> => {
    const result = await runCase(service, tried);
    results.set(tried, result);
    told(result);
  };
  const slow = cases.filter(({ deadline }) => deadline === true);
  const waiting = deadlines ? Promise.all(slow.map(one)) : Promise.resolve();
  const quick = cases.filter(({ deadline }) => deadline !== true);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let tried = quick[next++]; tried !== undefined; tried = quick[next++]) await one(tried);
  };
  await Promise.all([waiting, ...Array.from({ length: atOnce }, worker)]);
  return cases.map((tried) => results.get(tried) ?? notRun(tried));
};

const notRun = ({ rules, says }: Case): Result => ({
  rules,
  says,
  status: 'not run',
  why: 'cases that wait for a deadline were left out',
});

const runCase = async (service: Service, { rules, says, run }: Case): Promise<Result> => {
  try {
    await run(new Scene(service));
    return { rules, says, status: 'passed' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { rules, says, status: error instanceof NotSeen ? 'not run' : 'failed', why };
  }
};
