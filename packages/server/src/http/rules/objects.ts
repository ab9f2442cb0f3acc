import { type Deleted, type IdKind, LIMITS, type List } from '@plat/contract';
import Joi from 'joi';
import type { JsonSchema } from '../json-schema.ts';
import { id } from './names.ts';
import { type AnyRule, describe, type Fields, of, optional, type Rule } from './rule.ts';
import { anyString, array, boolean, integerText, oneOf, string } from './values.ts';

/** An object of exactly these fields; unknown ones are refused. The name is that of its component in the document. */
export function object<T extends object>(name: string, fields: Fields<T>): Rule<T>;
export function object<T extends object>(fields: Fields<T>): Rule<T>;
export function object<T extends object>(...args: [string, Fields<T>] | [Fields<T>]): Rule<T> {
  const [title, fields] = args.length === 2 ? args : [undefined, args[0]];
  const rules = Object.entries<AnyRule>(fields);
  const required = rules.filter(([, rule]) => !rule.optional).map(([name]) => name);
  return of(
    Joi.object(
      Object.fromEntries(rules.map(([name, rule]) => [name, rule.optional ? rule.schema : rule.schema.required()])),
    ),
    {
      ...(title === undefined ? {} : { title }),
      type: 'object',
      properties: Object.fromEntries(rules.map(([name, { json }]) => [name, { ...COMMON_FIELDS[name], ...json }])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
  );
}

/** Fields that say the same of every object. */
const COMMON_FIELDS: Readonly<Record<string, JsonSchema>> = {
  created_at: { description: 'When it was created.' },
  updated_at: { description: 'When it last changed.' },
};

/** Refuses an object that has both of two names for the same thing. */
export function notBoth<T extends object>(rule: Rule<T>, first: keyof T & string, second: keyof T & string): Rule<T> {
  return of((rule.schema as Joi.ObjectSchema).oxor(first, second), {
    ...rule.json,
    not: { required: [first, second] },
  });
}

/** One of several objects, told apart by the value of a field that each has. */
export function oneOfBy<T extends object, K extends keyof T & string>(
  title: string,
  field: K,
  rules: { readonly [V in T[K] & string]: Rule<Extract<T, Readonly<Record<K, V>>>> },
): Rule<T> {
  const cases = Object.entries<AnyRule>(rules);
  return of(
    Joi.alternatives().conditional(`.${field}`, {
      // biome-ignore lint/suspicious/noThenProperty: Joi's own word
      switch: cases.map(([value, { schema }]) => ({ is: value, then: schema })),
      otherwise: Joi.forbidden(),
    }),
    {
      title,
      oneOf: cases.map(([, { json }]) => json),
      // Mapped to the names of components, as `title` gives them.
      discriminator: {
        propertyName: field,
        mapping: Object.fromEntries(cases.map(([value, { json }]) => [value, json.title ?? value])),
      },
    },
  );
}

/** The list envelope around objects of one kind. */
export function listOf<T extends object>(item: Rule<T>): Rule<List<T>> {
  const list = object<List<T>>(`${item.json.title ?? ''}List`, {
    object: oneOf(['list']),
    data: describe(array(item), 'The objects of the page, newest first.'),
    has_more: describe(boolean(), 'Whether more follow in the direction of travel.'),
    url: describe(string(), 'The path of the request, without its query.', '/v1/clients'),
  });
  return describe(list, 'A page of a list.');
}

/** The answer to a DELETE. */
export function deleted<const K extends string>(kind: K, idKind: IdKind): Rule<Deleted<K>> {
  const name = kind.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
  const answer = object<Deleted<K>>(`Deleted${name}`, {
    object: oneOf([kind]),
    id: id(idKind),
    deleted: oneOf([true]),
  } as Fields<Deleted<K>>);
  return describe(answer, 'What was deleted.');
}

/** An object whose fields all follow one rule, whatever their names. */
export const recordOf = <T>(item: Rule<T>): Rule<Readonly<Record<string, T>>> =>
  of(Joi.object().pattern(Joi.string(), item.schema), { type: 'object', additionalProperties: item.json });

/** The query parameters of every list. */
export const listFields: Fields<{ limit?: number; starting_after?: string; ending_before?: string }> = {
  limit: optional(
    describe(integerText({ min: 1, max: LIMITS.page.max }), `Page size; ${LIMITS.page.default} when absent.`),
  ),
  starting_after: optional(describe(anyString(), 'The last `id` of a page: answers the page that follows it.')),
  ending_before: optional(describe(anyString(), 'The first `id` of a page: answers the page before it.')),
};
