import { domainToASCII } from 'node:url';
import { type Deleted, ID_PATTERN, ID_PREFIXES, type IdKind, isId, LIMITS, type List } from '@plat/contract';
import Joi from 'joi';
import { COUNTRIES } from './countries.ts';
import { type JsonSchema, orNull, typeOf } from './json-schema.ts';

/*
 * The rules of input and of answers. Each is two things made by one helper: the Joi schema that checks, and the JSON
 * Schema that the OpenAPI document shows. A new rule gives both: `of(Joi.string()…, { type: 'string', … })`.
 *
 * How a schemas file reads:
 *
 *   const fields = {
 *     name: describe(name(), 'What people call the group.', 'Retail North'),   // what it is, an example
 *     slug: describe(slug(), 'Unique in the tenant.', 'retail-north'),
 *   };
 *   export const group = describe(
 *     object<Group>('Group', { object: oneOf(['group']), id: id('group'), ...fields, created_at: timestamp(), … }),
 *     'A group of clients.',
 *   );
 *   export const groupUpdate = object<GroupUpdateParams>('GroupUpdate', { name: optional(fields.name), … });
 *   export const deletedGroup = deleted('group', 'group');
 *
 * Every body and every answer is an object with a name, which becomes a component of the document; a query needs none.
 * Every field needs a description. `id()`, a `oneOf` of one value, `created_at` and `updated_at` bring their own. The
 * example of an object is made of those of its fields; only texts and strings need one by hand.
 */

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

const of = <T>(schema: Joi.Schema, json: JsonSchema): Rule<T> => ({ schema, json });

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

export const optional = <T>(rule: Rule<T>): OptionalRule<T> => ({
  schema: rule.schema.optional(),
  json: rule.json,
  optional: true,
});
export const nullable = <T>(rule: Rule<T>): Rule<T | null> => of(rule.schema.allow(null), orNull(rule.json));
export const array = <T>(item: Rule<T>, limits: { min?: number; max?: number } = {}): Rule<readonly T[]> => {
  let schema = Joi.array().items(item.schema);
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
/** Text for people: trimmed, not empty, and so many characters long at most, of whatever script (JSON Schema's count). */
export const text = (max: number): Rule<string> =>
  of(
    Joi.string()
      .trim()
      .min(1)
      .custom((given: string, helpers) =>
        given.length > max && [...given].length > max ? helpers.error('string.max', { limit: max }) : given,
      ),
    { type: 'string', minLength: 1, maxLength: max, pattern: '\\S' },
  );
export const name = (): Rule<string> => text(LIMITS.name.max);
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const slug = (): Rule<string> =>
  of(
    Joi.string()
      .max(LIMITS.slug.max)
      .pattern(SLUG, 'slug')
      .messages({ 'string.pattern.name': 'must be lower-case letters and digits, with single hyphens between' }),
    { type: 'string', minLength: 1, maxLength: LIMITS.slug.max, pattern: SLUG.source, examples: ['acme'] },
  );
/** A host name of at least two labels, in the ASCII form; others are turned into it. */
export const domain = (): Rule<string> =>
  of(
    Joi.string()
      .max(253)
      .custom((given: string, helpers) => asciiDomain(given) ?? helpers.error('domain.invalid'))
      .messages({ 'domain.invalid': 'must be a domain such as shop.example.com' }),
    // No format: it would refuse the names in other scripts that are taken.
    { type: 'string', minLength: 3, maxLength: 253, examples: ['shop.example.com'] },
  );
function asciiDomain(given: string): string | undefined {
  // The URL standard's host parser would cut a path off in silence.
  const ascii = /^[\p{L}\p{M}\p{N}.-]+$/u.test(given) ? domainToASCII(given).toLowerCase() : '';
  const isDomain = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(
    ascii,
  );
  return isDomain ? ascii : undefined;
}
export const id = (kind: IdKind): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) => (isId(kind, given) ? given : helpers.error('id.invalid')))
      .messages({ 'id.invalid': `must be an id of the form ${ID_PREFIXES[kind]}_…` }),
    {
      type: 'string',
      pattern: `^${ID_PREFIXES[kind]}_${ID_PATTERN}$`,
      description: `Id of the ${kind.replaceAll('_', ' ')}.`,
      examples: [`${ID_PREFIXES[kind]}_01k0z8k3v7e5q2m9t4r6w1x8c0`],
    },
  );
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
/** The address of a mailbox, in any script, trimmed; its case is kept. Comments, quotes and addresses of machines are not taken. */
export const email = (): Rule<string> =>
  of(
    Joi.string()
      .trim()
      .max(LIMITS.email.max)
      .custom((given: string, helpers) => {
        const [local = '', host = '', ...more] = given.split('@');
        // RFC 5321 dot-atoms, and the other scripts of RFC 6531; never what could end a header or hide in it.
        const isLocal =
          local.length <= 64 && /^[^\p{C}\p{Z}\s.()<>[\]:;\\,"]+(?:\.[^\p{C}\p{Z}\s.()<>[\]:;\\,"]+)*$/u.test(local);
        return more.length === 0 && isLocal && asciiDomain(host) !== undefined ? given : helpers.error('email.invalid');
      })
      .messages({ 'email.invalid': 'must be an e-mail address such as ada@example.com' }),
    // No format: it would refuse the names in other scripts that are taken.
    { type: 'string', minLength: 6, maxLength: LIMITS.email.max, pattern: EMAIL.source, examples: ['ada@example.com'] },
  );
/** A language tag (BCP 47), in its canonical form. */
export const locale = (): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) => {
        const canonical = given.length <= LOCALE_MAX ? canonicalLocale(given) : undefined;
        return canonical !== undefined && canonical.length <= LOCALE_MAX ? canonical : helpers.error('locale.invalid');
      })
      .messages({ 'locale.invalid': 'must be a language tag (BCP 47) such as en or de-CH' }),
    {
      type: 'string',
      minLength: 2,
      maxLength: LOCALE_MAX,
      pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
      examples: ['en'],
    },
  );
const LOCALE_MAX = 64;
function canonicalLocale(given: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(given)[0];
  } catch {
    return undefined;
  }
}
// Area and place: what else Intl takes (EST, PST, +01:00) is not what others call a zone.
const TIMEZONE = /^(?:UTC|GMT|[A-Z]+(?:\/[A-Z0-9_+-]+){1,2})$/i;
/** An IANA time zone, in the case of its name; a name that links to another one stays as given. No offsets. */
export const timezone = (): Rule<string> =>
  of(
    Joi.string()
      .max(64)
      .custom((given: string, helpers) => timezoneName(given) ?? helpers.error('timezone.invalid'))
      .messages({ 'timezone.invalid': 'must be an IANA time zone such as Europe/Berlin' }),
    {
      type: 'string',
      minLength: 2,
      maxLength: 64,
      pattern: '^[A-Za-z]+(?:/[A-Za-z0-9_+-]+)*$',
      examples: ['Europe/Berlin'],
    },
  );
function timezoneName(given: string): string | undefined {
  if (!TIMEZONE.test(given)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions();
    // A link resolves to its target, which is not what people there call their zone.
    if (timeZone.toLowerCase() === given.toLowerCase()) return timeZone;
    return given.split('/').every((part) => /^[A-Z]/.test(part)) ? given : undefined;
  } catch {
    return undefined;
  }
}
/** A country, in upper case whatever the case given. */
export const country = (): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) => {
        // Two ASCII letters first: there are letters that become two in upper case.
        const code = /^[A-Za-z]{2}$/.test(given) ? given.toUpperCase() : '';
        return COUNTRIES.has(code) ? code : helpers.error('country.invalid');
      })
      .messages({ 'country.invalid': 'must be an ISO 3166-1 alpha-2 code such as DE' }),
    { type: 'string', minLength: 2, maxLength: 2, pattern: '^[A-Za-z]{2}$', examples: ['DE'] },
  );
const ROLE_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
/** The name of a role, built in or the tenant's own. */
export const roleName = (): Rule<string> =>
  of(
    Joi.string().max(LIMITS.slug.max).pattern(ROLE_NAME, 'role').messages({
      'string.pattern.name': 'must be lower-case letters, digits and single underscores, beginning with a letter',
    }),
    { type: 'string', minLength: 1, maxLength: LIMITS.slug.max, pattern: ROLE_NAME.source, examples: ['member'] },
  );
const CAPABILITY = /^[a-z][a-z0-9_-]*(?:[.:][a-z0-9_-]+)*$/;
/** The id of something that a module can do. */
export const capability = (): Rule<string> =>
  of(
    Joi.string()
      .max(64)
      .pattern(CAPABILITY, 'capability')
      .messages({ 'string.pattern.name': 'must be the id of a capability such as analytics:read' }),
    { type: 'string', minLength: 1, maxLength: 64, pattern: CAPABILITY.source, examples: ['analytics:read'] },
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
    { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] },
  );
/** An ISO 4217 code. */
export const currency = (): Rule<string> =>
  of(Joi.string().pattern(/^[A-Z]{3}$/, 'currency'), {
    type: 'string',
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 code of the currency.',
    examples: ['EUR'],
  });
/** An amount of money in the currency's minor units, such as cents. */
export const minorUnits = (): Rule<number> => integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
const DOTTED_VERB = /^[a-z_]+(?:\.[a-z_]+)+$/;
/** What the audit trail calls a change: `client.updated`. */
export const dottedVerb = (): Rule<string> =>
  of(
    Joi.string()
      .max(64)
      .pattern(DOTTED_VERB, 'verb')
      .messages({ 'string.pattern.name': 'must be an action such as client.updated' }),
    { type: 'string', minLength: 3, maxLength: 64, pattern: DOTTED_VERB.source },
  );
/** An id of whatever kind. */
export const anyId = (): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) =>
        ALL_ID_KINDS.some((kind) => isId(kind, given)) ? given : helpers.error('id.invalid'),
      )
      .messages({ 'id.invalid': 'must be an id' }),
    {
      type: 'string',
      pattern: `^(?:${Object.values(ID_PREFIXES).join('|')})_${ID_PATTERN}$`,
      examples: ['usr_01k0z8k3v7e5q2m9t4r6w1x8c0'],
    },
  );
const ALL_ID_KINDS = Object.keys(ID_PREFIXES) as IdKind[];
/** An object whose fields all follow one rule, whatever their names. */
export const recordOf = <T>(item: Rule<T>): Rule<Readonly<Record<string, T>>> =>
  of(Joi.object().pattern(Joi.string(), item.schema), { type: 'object', additionalProperties: item.json });
/** Any JSON value. */
export const anything = (): Rule<unknown> => of(Joi.any(), {});

/** The query parameters of every list. */
export const listFields: Fields<{ limit?: number; starting_after?: string; ending_before?: string }> = {
  limit: optional(
    describe(integerText({ min: 1, max: LIMITS.page.max }), `Page size; ${LIMITS.page.default} when absent.`),
  ),
  starting_after: optional(describe(anyString(), 'The last `id` of a page: answers the page that follows it.')),
  ending_before: optional(describe(anyString(), 'The first `id` of a page: answers the page before it.')),
};
