import { LIMITS, unsafeCharacter } from '@plat/contract';
import Joi from 'joi';
import { type JsonSchema, typeOf } from '../json-schema.ts';
import { of, type Rule } from './rule.ts';

/** Joi checks each item before the number of items: an array that is too long is refused as a whole before that. */
const BoundedJoi = Joi.extend((joi) => ({
  type: 'boundedArray',
  base: joi.array(),
  prepare(value: unknown, { schema, error }: Joi.CustomHelpers) {
    const limit: unknown = schema.$_getRule('max')?.args?.['limit'];
    const isTooLong = Array.isArray(value) && typeof limit === 'number' && value.length > limit;
    return isTooLong ? { value, errors: error('array.max', { limit }) } : undefined;
  },
})) as { readonly boundedArray: () => Joi.ArraySchema };

export const array = <T>(item: Rule<T>, limits: { min?: number; max?: number } = {}): Rule<readonly T[]> => {
  let schema = BoundedJoi.boundedArray().items(item.schema);
  if (limits.min !== undefined) schema = schema.min(limits.min);
  if (limits.max !== undefined) schema = schema.max(limits.max);
  return of(schema, {
    type: 'array',
    items: item.json,
    ...(limits.min === undefined ? {} : { minItems: limits.min }),
    ...(limits.max === undefined ? {} : { maxItems: limits.max }),
  });
};

export const oneOf = <const V extends readonly (string | number | boolean)[]>(values: V): Rule<V[number]> => {
  const [first, ...others] = values;
  const schema = Joi.valid(...values).messages({ 'any.only': `must be one of ${values.join(', ')}` });
  const type = first === undefined ? {} : { type: typeOf(first) };
  if (others.length > 0) return of(schema, { ...type, enum: values });
  return of(schema, { ...type, const: first, description: `Always \`${first}\`.` });
};

export const boolean = (): Rule<boolean> => of(Joi.boolean().strict(), { type: 'boolean', examples: [false] });

export const integer = (limits: { min: number; max: number }): Rule<number> =>
  of(Joi.number().strict().integer().min(limits.min).max(limits.max), whole(limits));

export const number = (limits: { min: number; max: number }): Rule<number> =>
  of(Joi.number().strict().min(limits.min).max(limits.max), {
    type: 'number',
    minimum: limits.min,
    maximum: limits.max,
  });

/** A whole number as it stands in a query string. */
export const integerText = (limits: { min: number; max: number }): Rule<number> =>
  of(
    Joi.string()
      .pattern(/^\d{1,9}$/, 'digits')
      .custom((text: string, helpers) => {
        const value = Number(text);
        return value < limits.min || value > limits.max ? helpers.error('number.range') : value;
      })
      .messages({
        'number.range': `must be a whole number from ${limits.min} to ${limits.max}`,
        'string.pattern.name': `must be a whole number from ${limits.min} to ${limits.max}`,
      }),
    whole(limits),
  );

const whole = ({ min, max }: { min: number; max: number }): JsonSchema => ({
  type: 'integer',
  minimum: min,
  maximum: max,
});

export const string = (): Rule<string> => of(Joi.string(), { type: 'string', minLength: 1 });

/** A string of unknown content, empty included. */
export const anyString = (): Rule<string> => of(Joi.string().allow(''), { type: 'string' });

/**
 * Text for people: trimmed, not empty, and so many characters long at most, of whatever script (JSON Schema's count). It may
 * have line breaks, and no character that changes how the text around it is shown.
 */
export const text = (max: number): Rule<string> => textOf(max, { lines: true });

/** The name of something: a {@link text} of one line. */
export const name = (): Rule<string> => textOf(LIMITS.name.max, { lines: false });

const textOf = (max: number, { lines }: { readonly lines: boolean }): Rule<string> =>
  of(
    Joi.string()
      .trim()
      .min(1)
      .custom((given: string, helpers) => {
        if (given.length > max && [...given].length > max) return helpers.error('string.max', { limit: max });
        const character = unsafeCharacter(given, { lines });
        return character === null ? given : helpers.error('string.unsafe', { character });
      })
      .messages({ 'string.unsafe': 'must not contain {#character}' }),
    { type: 'string', minLength: 1, maxLength: max, pattern: '\\S' },
  );

/** Any JSON value. */
export const anything = (): Rule<unknown> => of(Joi.any(), {});
