import { z } from 'zod';
import { claim, decided, fact } from './facts.ts';
import { input } from './inputs.ts';

/** A JSON Schema 2020-12. */
type Schema = { readonly [keyword: string]: unknown };

const records = { input, fact, claim, decided } as const;

/** What stands on the topics, as JSON Schema 2020-12: for the AsyncAPI document and for readers in other languages (engine.md §2). */
export const recordSchemas = (): { readonly [name in keyof typeof records]: Schema } => ({
  input: schemaOf(records.input),
  fact: schemaOf(records.fact),
  claim: schemaOf(records.claim),
  decided: schemaOf(records.decided),
});

// A refusal code is a text to a reader of the log: one that this version does not know is none of its business.
const schemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
