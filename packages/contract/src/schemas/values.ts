import type { JsonSchema } from './json-schema.ts';
import { words } from './words.ts';

/* Schemas of values that are no text, of choices and of lists. */

/** An amount of money in minor units of the currency, such as cents. */
export function minorUnits(description: string, example: number): JsonSchema {
  return integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, description, example);
}

/** A whole number that is not negative. */
export function count(description: string, example: number): JsonSchema {
  return integer(0, Number.MAX_SAFE_INTEGER, description, example);
}

/** A whole number; in a query, its digits. */
export function integer(minimum: number, maximum: number, description?: string, example?: number): JsonSchema {
  return { type: 'integer', minimum, maximum, ...words(description, example) };
}

/** A number with decimals. */
export function number(minimum: number, maximum: number, description?: string, example?: number): JsonSchema {
  return { type: 'number', minimum, maximum, ...words(description, example) };
}

/** true or false. */
export function boolean(description?: string, example = false): JsonSchema {
  return { type: 'boolean', ...words(description, example) };
}

/**
 * One of some strings.
 * @param type the TypeScript type: the name of the union, or an expression; null for a union without a name
 */
export function oneOf(
  type: string | null,
  values: readonly string[],
  description?: string,
  example?: string,
): JsonSchema {
  return { type: 'string', enum: values, ...(type === null ? {} : { 'x-type': type }), ...words(description, example) };
}

/** Always the same string, such as the kind of an object. */
export function always(value: string): JsonSchema {
  return { type: 'string', const: value, description: `Always \`${value}\`.` };
}

/** Any JSON value. */
export function anything(description: string): JsonSchema {
  return { description };
}

/** A list of values. Without limits it is for answers only. */
export function array(
  items: JsonSchema,
  description?: string,
  { min, max, example }: { readonly min?: number; readonly max?: number; readonly example?: readonly unknown[] } = {},
): JsonSchema {
  return {
    type: 'array',
    items,
    ...(min === undefined ? {} : { minItems: min }),
    ...(max === undefined ? {} : { maxItems: max }),
    ...words(description, example),
  };
}
