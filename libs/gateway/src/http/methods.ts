import type { Routes } from './controllers.ts';

/** Which methods a path takes, for Allow. */
export class AllowedMethods {
  readonly #paths: readonly { readonly pattern: RegExp; readonly method: string }[];

  constructor({ actions, reads }: Routes) {
    const gets = reads.flatMap(({ path }) => ['GET', 'HEAD'].map((method) => ({ path, method })));
    this.#paths = [...actions, ...gets].map(({ path, method }) => ({ pattern: patternOf(path), method }));
  }

  of(path: string): readonly string[] {
    return [...new Set(this.#paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort();
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[a-z]+\}/g, '[^/]+')}$`);
