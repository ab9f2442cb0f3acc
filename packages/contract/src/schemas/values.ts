import type { JsonSchema } from './json-schema.ts';
import { words } from './words.ts';

/* Schemas of numbers, booleans, choices and lists. */

/** Schema of an amount of money in minor units of the currency, such as cents. */
export function minorUnits(description: string, example: number): JsonSchema {
  return integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, description, example);
}

/** Schema of a whole number that is not negative. */
export function count(description: string, example: number): JsonSchema {
  return integer(0, Number.MAX_SAFE_INTEGER, description, example);
}

/** Schema of a whole number. In a query it is given in digits. */
export function integer(minimum: number, maximum: number, description?: string, example?: number): JsonSchema {
  return { type: 'integer', minimum, maximum, ...words(description, example) };
}

/** Schema of a number with decimals. */
export function number(minimum: number, maximum: number, description?: string, example?: number): JsonSchema {
  return { type: 'number', minimum, maximum, ...words(description, example) };
}

/** Schema of a boolean. */
export function boolean(description?: string, example = false): JsonSchema {
  return { type: 'boolean', ...words(description, example) };
}

/**
 * Schema of one of several strings.
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

/** Schema of a constant string, such as the kind of an object. */
export function always(value: string): JsonSchema {
  return { type: 'string', const: value, description: `Always \`${value}\`.` };
}

/** Schema of any JSON value. */
export function anything(description: string): JsonSchema {
  return { description };
}

/** Schema of a list of values. A list without limits is for responses only. */
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
