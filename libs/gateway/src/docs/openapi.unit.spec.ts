import { describe, expect, it } from '@jest/globals';
import { actionCatalogue, actionNames, readCatalogue, refusals } from '@kungfu/protocol';
import { openApiDocument } from './openapi.ts';

type Node = { readonly [key: string]: unknown };
type Operation = {
  readonly operationId: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly responses: Readonly<Record<string, { description: string }>>;
  readonly requestBody?: {
    content: {
      'application/json': { schema: { properties: Node; required?: string[]; additionalProperties: boolean } };
    };
  };
  readonly security: readonly Node[];
  readonly tags: readonly string[];
};

const document = JSON.parse(JSON.stringify(openApiDocument())) as ReturnType<typeof openApiDocument>;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    operation: operation as unknown as Operation,
  })),
);

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 with an operation for every action and every read', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Kungfu', version: expect.any(String) });
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.toSorted()).toEqual([...actionNames, ...Object.keys(readCatalogue())].toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('declares every path parameter, and no other', () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{([a-z]+)\}/g)].map((match) => match[1]);
      expect([
        path,
        operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      ]).toEqual([path, named]);
      for (const parameter of operation.parameters)
        expect(parameter).toEqual(
          expect.objectContaining({
            name: expect.any(String),
            required: expect.any(Boolean),
            schema: expect.any(Object),
          }),
        );
    }
  });

  it('has a described answer for every refusal an action can meet', () => {
    for (const { name, refusals: codes } of Object.values(actionCatalogue())) {
      const { operation } = operations.find(({ operation: { operationId } }) => operationId === name)!;
      for (const code of codes)
        expect(operation.responses[refusals[code].status]?.description).toContain(`\`${code}\``);
      expect(operation.responses['200']).toBeDefined();
    }
  });

  it('resolves every reference, tag and security scheme', () => {
    const references: string[] = [];
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === '$ref') references.push(String(value));
        else walk(value);
      }
    };
    walk(document);
    for (const reference of references) {
      const found = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((node, step) => (node as Node | undefined)?.[step], document);
      expect([reference, found !== undefined]).toEqual([reference, true]);
    }
    const tags = document.tags.map(({ name }) => name);
    const schemes = Object.keys(document.components['securitySchemes'] ?? {});
    for (const { operation } of operations) {
      for (const tag of operation.tags) expect(tags).toContain(tag);
      for (const scheme of operation.security.flatMap(Object.keys)) expect(schemes).toContain(scheme);
    }
  });

  it('shows bodies without what the path names, closed to unknown fields', () => {
    const handle = operations.find(({ operation }) => operation.operationId === 'thread.handle')!.operation;
    const schema = handle.requestBody!.content['application/json'].schema;
    expect(Object.keys(schema.properties)).toEqual(['content']);
    expect([schema.required, schema.additionalProperties]).toEqual([undefined, false]);
    const create = operations.find(({ operation }) => operation.operationId === 'memory.create')!.operation;
    expect(create.requestBody!.content['application/json'].schema).toMatchObject({
      required: ['content'],
      properties: {
        content: { required: ['body'], properties: { title: { maxLength: 200 }, body: { type: 'string' } } },
      },
    });
    expect(
      operations.find(({ operation }) => operation.operationId === 'thread.leave')!.operation.requestBody,
    ).toBeUndefined();
  });
});
