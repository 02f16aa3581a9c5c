import type { ActionInputs, Delivery, Pin, ShapeError } from '@kungfu/protocol';
import type { OutputStructure } from '@kungfu/read-model';
import { type WrittenContent, writeContent } from './identity.ts';
import { type PrepareContext, referenced } from './preparing.ts';

type DeliveryInput = ActionInputs['assignment.deliver']['delivery'];
type Delivered = {
  readonly stamped: Delivery;
  readonly content: readonly WrittenContent[];
  readonly errors?: readonly ShapeError[];
};

/** A delivery as it is stamped: its payload checked against the output structure, its Memories the deliverer's own (T-44, K-10). */
export const delivered = async (
  { content, memories = [] }: DeliveryInput,
  output: OutputStructure,
  c: PrepareContext,
): Promise<Delivered> => {
  const payload = content === undefined ? undefined : writeContent({ ...content }, c.random);
  const errors = await missesOf(output, content, c);
  const { pins, unusable: code } = await ownPins(memories, c);
  const unusable = output === 'unknown' ? 'changed' : errors.length > 0 ? 'schema_mismatch' : code;
  return {
    stamped: {
      memories: pins,
      ...(payload === undefined ? {} : { content: payload.ref }),
      ...(unusable === undefined ? {} : { unusable }),
    },
    content: payload === undefined ? [] : [payload],
    ...(errors.length === 0 ? {} : { errors }),
  };
};

type OwnPins = { readonly pins: Pin[]; readonly unusable?: 'invalid_target' | 'memory_withdrawn' };

/** Pinned versions of one's own Memories; what cannot be pinned is left out and told, the first of it. */
export const ownPins = async (memories: readonly string[], c: PrepareContext): Promise<OwnPins> => {
  const found = await Promise.all(memories.map((text) => referenced(text, c)));
  const pins = found.flatMap((one) => (one.kind === 'reference' && one.author === c.agent ? [one.pin] : []));
  const wrong = found.find((one) => one.kind === 'unusable' || one.author !== c.agent);
  if (wrong === undefined) return { pins };
  return { pins, unusable: wrong.kind === 'unusable' ? wrong.code : 'invalid_target' };
};

/** Without a payload a structured output is missed too. */
const missesOf = async (
  output: OutputStructure,
  content: { readonly payload?: unknown } | undefined,
  { schemas }: PrepareContext,
): Promise<readonly ShapeError[]> => {
  if (output === 'free' || output === 'unknown') return [];
  if (content === undefined)
    return [{ pointer: '/delivery/content', keyword: 'required', detail: 'The output structure asks for a payload.' }];
  return schemas.misses(output.schema, content.payload, '/delivery/content/payload');
};
