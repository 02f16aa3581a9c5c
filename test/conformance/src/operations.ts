import type { Service } from './client.ts';

/** A route as GET /openapi.json tells it. */
export type Operation = {
  /** The name of the action or read. */
  readonly id: string;
  readonly method: string;
  /** With parts in braces. */
  readonly path: string;
};

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
};

export const operationsOf = async (service: Service): Promise<readonly Operation[]> => {
  const { paths }: Document = await service.anyone.read('/openapi.json');
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
    })),
  );
};

/** The path with its parts filled in. Throws when a part has no value. */
export const filled = ({ path }: Operation, values: Readonly<Record<string, string | number>>): string =>
  path.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = values[part];
    if (value === undefined) throw new Error(`no value for {${part}} of ${path}`);
    return String(value);
  });
