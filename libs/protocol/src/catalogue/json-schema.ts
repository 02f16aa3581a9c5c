import { z } from 'zod';
import type { ReadDefinition } from './types.ts';

/** A JSON Schema 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a schema of the catalogue takes, as JSON Schema for documents. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Record<
    string,
    unknown
  >;
  return rest;
};

/** The body of an action: its input without what the path names. */
export const bodySchema = ({
  input,
  parts,
}: {
  readonly input: z.ZodObject;
  readonly parts: readonly string[];
}): JsonSchema => {
  const schema = jsonSchemaOf(input);
  const properties = Object.entries((schema['properties'] ?? {}) as JsonSchema).filter(
    ([name]) => !parts.includes(name),
  );
  const required = ((schema['required'] ?? []) as readonly string[]).filter((name) => !parts.includes(name));
  const { required: _, ...rest } = schema;
  return { ...rest, properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) };
};

/** The parameters of a read's query. */
export const querySchemas = ({
  query,
}: ReadDefinition): readonly { readonly name: string; readonly required: boolean; readonly schema: JsonSchema }[] => {
  const schema = jsonSchemaOf(query);
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
  }));
};
