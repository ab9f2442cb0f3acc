import { domainToASCII } from 'node:url';
import { ID_PREFIXES, type IdKind, isId, LIMITS } from '@plat/contract';
import Joi from 'joi';

declare const type: unique symbol;

/** A rule for a value of some type. */
export interface AnyRule {
  readonly schema: Joi.Schema;
  readonly optional?: true;
}

/**
 * A Joi schema locked to exactly one type: unions, null, array items and nested objects included, which
 * `Joi.object<T, true>` lets pass.
 */
export interface Rule<T> extends AnyRule {
  readonly [type]?: (value: T) => T;
}

/** A rule for a field that may be absent. */
export interface OptionalRule<T> extends Rule<T> {
  readonly optional: true;
}

/** One rule for each field of T, optional where the field is. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? OptionalRule<Exclude<T[K], undefined>>
    : Rule<T[K]>;
};

const of = <T>(schema: Joi.Schema): Rule<T> => ({ schema });

/** An object of exactly these fields; unknown ones are refused. */
export function object<T extends object>(fields: Fields<T>): Rule<T> {
  const rules = Object.entries<AnyRule>(fields);
  return of(
    Joi.object(
      Object.fromEntries(rules.map(([name, rule]) => [name, rule.optional ? rule.schema : rule.schema.required()])),
    ),
  );
}

/** Refuses an object that has both of two names for the same thing. */
export function notBoth<T extends object>(rule: Rule<T>, first: keyof T & string, second: keyof T & string): Rule<T> {
  return of((rule.schema as Joi.ObjectSchema).oxor(first, second));
}

export const optional = <T>(rule: Rule<T>): OptionalRule<T> => ({ schema: rule.schema.optional(), optional: true });
export const nullable = <T>(rule: Rule<T>): Rule<T | null> => of(rule.schema.allow(null));
export const array = <T>(item: Rule<T>, limits: { min?: number; max?: number } = {}): Rule<readonly T[]> => {
  let schema = Joi.array().items(item.schema);
  if (limits.min !== undefined) schema = schema.min(limits.min);
  if (limits.max !== undefined) schema = schema.max(limits.max);
  return of(schema);
};
export const oneOf = <const V extends readonly (string | number | boolean)[]>(values: V): Rule<V[number]> =>
  of(Joi.valid(...values).messages({ 'any.only': `must be one of ${values.join(', ')}` }));
export const integer = (limits: { min: number; max: number }): Rule<number> =>
  of(Joi.number().strict().integer().min(limits.min).max(limits.max));
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
  );
export const string = (): Rule<string> => of(Joi.string());
/** A string of unknown content, empty included. */
export const anyString = (): Rule<string> => of(Joi.string().allow(''));
/** Text for people: trimmed, not empty. */
export const text = (max: number): Rule<string> => of(Joi.string().trim().min(1).max(max));
export const name = (): Rule<string> => text(LIMITS.name.max);
export const slug = (): Rule<string> =>
  of(
    Joi.string()
      .max(LIMITS.slug.max)
      .pattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'slug')
      .messages({ 'string.pattern.name': 'must be lower-case letters and digits, with single hyphens between' }),
  );
/** A host name of at least two labels, in the ASCII form; others are turned into it. */
export const domain = (): Rule<string> =>
  of(
    Joi.string()
      .max(253)
      .custom((given: string, helpers) => {
        // The URL standard's host parser would cut a path off in silence.
        const ascii = /^[\p{L}\p{M}\p{N}.-]+$/u.test(given) ? domainToASCII(given).toLowerCase() : '';
        return /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(ascii)
          ? ascii
          : helpers.error('domain.invalid');
      })
      .messages({ 'domain.invalid': 'must be a domain such as shop.example.com' }),
  );
export const id = (kind: IdKind): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) => (isId(kind, given) ? given : helpers.error('id.invalid')))
      .messages({ 'id.invalid': `must be an id of the form ${ID_PREFIXES[kind]}_…` }),
  );
/** An instant in ISO 8601 with its offset, kept as text. */
export const timestamp = (): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) =>
        /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(given) &&
        !Number.isNaN(Date.parse(given))
          ? given
          : helpers.error('timestamp.invalid'),
      )
      .messages({ 'timestamp.invalid': 'must be an ISO 8601 time with offset, such as 2026-01-31T12:00:00Z' }),
  );
/** Any JSON object; for payloads whose form depends on another field. */
export const anyObject = <T>(): Rule<T> => of(Joi.object().unknown(true));

/** The query parameters of every list. */
export const listFields: Fields<{ limit?: number; starting_after?: string; ending_before?: string }> = {
  limit: optional(integerText({ min: 1, max: LIMITS.page.max })),
  starting_after: optional(anyString()),
  ending_before: optional(anyString()),
};
