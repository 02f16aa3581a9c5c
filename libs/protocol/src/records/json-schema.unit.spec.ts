import { describe, expect, it } from '@jest/globals';
import { threadEffect } from '../thread/effects.ts';
import { recordSchemas } from './json-schema.ts';

/** Every `const` of a property `type` that stands anywhere in a schema. */
const typesIn = (schema: unknown): readonly string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { readonly properties?: { readonly type?: { readonly const?: string } } };
  return [
    ...(properties?.type?.const === undefined ? [] : [properties.type.const]),
    ...Object.values(schema).flatMap(typesIn),
  ];
};

describe('the schemas of the records', () => {
  const schemas = recordSchemas();

  it('are JSON Schema 2020-12 and plain data', () => {
    for (const schema of Object.values(schemas)) {
      expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    }
  });

  it('[L1-3] demand of every fact an object, a cause and effects, and allow nothing else', () => {
    expect(schemas.fact).toMatchObject({
      type: 'object',
      required: ['object', 'revision', 'at', 'cause', 'effects'],
      additionalProperties: false,
    });
  });

  it('know every effect of a thread and every action on one', () => {
    expect(typesIn(schemas.fact)).toEqual(
      expect.arrayContaining(threadEffect.options.map((option) => option.shape.type.value)),
    );
    expect(typesIn(schemas.input)).toEqual(
      expect.arrayContaining(['thread.post', 'assignment.take', 'memory.update', 'agent.deactivate']),
    );
  });

  it('give a claim its nonce and a decided record its position', () => {
    expect(schemas.claim).toMatchObject({ required: ['nonce', 'format'] });
    expect(schemas.decided).toMatchObject({ required: ['upTo', 'at', 'generation', 'refused'] });
  });
});
