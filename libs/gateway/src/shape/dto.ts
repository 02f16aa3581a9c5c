import {
  type ActionDefinition,
  type ActionName,
  type ParsedInput,
  parseInput,
  parseShape,
  type ReadDefinition,
  type Shaped,
  type ShapeError,
  shapeError,
} from '@kungfu/protocol';
import { IsOptional, Matches, registerDecorator, type ValidationError, validateSync } from 'class-validator';
import { type Refusal, refused } from './refusal.ts';

/**
 * The DTOs of the edge, for class-validator. What a field may hold stands once, in the catalogue: a DTO class is made of
 * its schemas, and the decorator `Catalogued` runs the schema of its field. The parsed values come out beside the DTO.
 */

/** Idempotency keys as contract.md has them. */
export const keyPattern = /^[A-Za-z0-9._~-]{1,128}$/;

/** The headers that an action reads. */
export class ActionHeaders {
  @IsOptional()
  @Matches(keyPattern)
  key: string | undefined;
}

type Findings = {
  readonly values: Record<string, unknown>;
  readonly errors: ShapeError[];
  readonly codes: Set<'invalid' | 'too_large'>;
};
const findings = new WeakMap<object, Findings>();
const findingsOf = (dto: object): Findings => {
  const found = findings.get(dto) ?? { values: {}, errors: [], codes: new Set() };
  findings.set(dto, found);
  return found;
};

/** The field holds what this parser takes. `prefix` places its errors in the caller's request. */
const Catalogued =
  (parse: (value: unknown) => Shaped<unknown>, prefix: string): PropertyDecorator =>
  (target, property) => {
    registerDecorator({
      name: 'catalogued',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value, args) => {
          const found = findingsOf(args?.object ?? {});
          const shaped = parse(value);
          if (shaped.kind === 'ok') {
            if (shaped.value !== undefined) found.values[String(property)] = shaped.value;
            return true;
          }
          found.errors.push(...shaped.errors.map((error) => ({ ...error, pointer: `${prefix}${error.pointer}` })));
          found.codes.add(shaped.code);
          return false;
        },
        defaultMessage: () => 'does not have the shape that the catalogue gives',
      },
    });
  };

type Dto = new () => object;

/** The DTO of an action's input: one field, weighed as a whole, since some of its rules span fields. */
const actionDto = <N extends ActionName>(definition: ActionDefinition<N>): Dto => {
  class ActionDto {}
  Catalogued((value) => {
    const { object, input } = value as { object: string | undefined; input: unknown };
    return parseInput(definition, object, input);
  }, '')(ActionDto.prototype, 'request');
  return ActionDto;
};

/** The DTO of a read's query: a field for each parameter; others are refused. */
const queryDto = (definition: ReadDefinition): Dto => {
  class QueryDto {}
  for (const [name, schema] of Object.entries(definition.query.shape))
    Catalogued((value) => parseShape(schema, value), `/${name}`)(QueryDto.prototype, name);
  return QueryDto;
};

/** Checks inputs of one action. */
export const inputShape = <N extends ActionName>(
  definition: ActionDefinition<N>,
): ((object: string | undefined, input: unknown) => Refusal | ParsedInput<N>) => {
  const dto = actionDto(definition);
  return (object, input) => {
    const shaped = check(dto, { request: { object, input } });
    return shaped.kind === 'refused'
      ? shaped
      : { kind: 'ok', value: shaped.values['request'] as ParsedInput<N>['value'] };
  };
};

export type Query = Readonly<Record<string, unknown>>;

/** Checks the query of one read. */
export const queryShape = (
  definition: ReadDefinition,
): ((query: Query) => Refusal | { readonly kind: 'ok'; readonly value: Query }) => {
  const dto = queryDto(definition);
  return (query) => {
    // A DTO would take it for its prototype and forget it.
    if (Object.hasOwn(query, '__proto__')) return refused('invalid', [shapeError('/__proto__', 'unknown')]);
    const shaped = check(dto, { ...query });
    return shaped.kind === 'refused' ? shaped : { kind: 'ok', value: shaped.values };
  };
};

/** Whether a header value is a well-formed key. */
export const headersFit = (headers: ActionHeaders): boolean => validateSync(headers).length === 0;

const check = (Shape: Dto, fields: object): Refusal | { readonly kind: 'ok'; readonly values: Query } => {
  const dto: object = Object.assign(new Shape(), fields);
  const failed = validateSync(dto, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
  const found = findingsOf(dto);
  if (failed.length === 0) return { kind: 'ok', values: found.values };
  const unknown = failed
    .filter(isUnknown)
    .map(({ property }) => shapeError(property.length > 100 ? '' : `/${property}`, 'unknown'));
  const code = unknown.length === 0 && !found.codes.has('invalid') ? 'too_large' : 'invalid';
  return refused(code, [...found.errors, ...unknown].slice(0, 20));
};

const isUnknown = ({ constraints }: ValidationError): boolean => constraints?.['whitelistValidation'] !== undefined;
