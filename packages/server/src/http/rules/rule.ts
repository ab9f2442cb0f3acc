import type Joi from 'joi';
import { type JsonSchema, orNull } from '../json-schema.ts';

declare const type: unique symbol;

/** A rule for a value of some type. */
export interface AnyRule {
  readonly schema: Joi.Schema;
  readonly json: JsonSchema;
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

export const of = <T>(schema: Joi.Schema, json: JsonSchema): Rule<T> => ({ schema, json });

/** What a value is, and an example of it where its rule cannot make one; both for the reader of the document. */
export function describe<R extends AnyRule>(
  rule: R,
  description: string,
  example?: R extends Rule<infer T> ? T : never,
): R {
  const { json } = rule;
  const words = { description, ...(example === undefined ? {} : { examples: [example] }) };
  // A named object keeps its own description; these words are about the field that holds it.
  const isNamed = json.title !== undefined && json.description !== undefined;
  return { ...rule, json: isNamed ? { allOf: [json], ...words } : { ...json, ...words } };
}

export const optional = <T>(rule: Rule<T>): OptionalRule<T> => ({
  schema: rule.schema.optional(),
  json: rule.json,
  optional: true,
});

export const nullable = <T>(rule: Rule<T>): Rule<T | null> => of(rule.schema.allow(null), orNull(rule.json));
