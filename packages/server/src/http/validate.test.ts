import { isDeepStrictEqual } from 'node:util';
import {
  check,
  DEVELOPER_OPERATION_SCHEMAS,
  FORMATS,
  type FormatName,
  type JsonSchema,
  nullable,
  OPERATION_SCHEMAS,
  type OperationSchemas,
  SCHEMAS,
  type SchemaName,
  type Source,
  trim,
} from '@plat/contract/schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../kernel/api-error.ts';
import { BODY_VALUES, exampleFor, QUERY_VALUES } from './given-values.fixture.ts';
import { validate } from './validate.ts';

/*
 * Three validators of one schema must agree: Joi compiled from it (the server), the contract's own check (the mock),
 * and Ajv, which shares only the formats with them. Server and mock must also return the same values and messages.
 */

type Fields = Readonly<Record<string, unknown>>;

const TITLES = {
  body: titlesOf(({ body }) => body),
  query: titlesOf(({ query }) => query),
};
const CASES = (['body', 'query'] as const).flatMap((source) => TITLES[source].map((title) => ({ source, title })));

describe.each(CASES)('$title', ({ source, title }) => {
  const schema = SCHEMAS[title];
  const agree = agreement(schema, schema, source);

  test('agree on one field with any value, on a missing field and on an unknown field', () => {
    const given = [...bodiesWithOneChange(schema, source)];
    expect(given.filter((fields) => !agree(fields))).toEqual([]);
  });

  test('agree on any values of any fields', () => {
    fc.assert(
      fc.property(anyFields(schema, source), (fields) => agree(fields)),
      { numRuns: 1_000 },
    );
  });
});

/** Each is a mistake in the rules of the server that the generated bodies must find. */
const DEFECTS: readonly (readonly [defect: string, title: SchemaName, change: (schema: JsonSchema) => JsonSchema])[] = [
  ['a required field is optional', 'ClientCreateParams', (schema) => ({ ...schema, required: [] })],
  ['an optional field is required', 'ClientCreateParams', (schema) => ({ ...schema, required: ['name', 'slug'] })],
  ['a field is unknown', 'TenantUpdateParams', (schema) => ({ ...schema, properties: {} })],
  ['null is accepted', 'ClientUpdateParams', changed('slug', nullable)],
  ['null is refused', 'UserUpdateParams', changed('name', (field) => ({ ...field, type: 'string' }))],
  [
    'a text is one character longer',
    'LocationCreateParams',
    changed('address', (field) => ({ ...field, maxLength: 501 })),
  ],
  [
    'a name has several lines',
    'TenantUpdateParams',
    changed('name', (field) => ({ ...field, 'x-format': 'multi-line' })),
  ],
  ['a domain is any text', 'ClientUpdateParams', changed('domain', ({ 'x-format': _, ...field }) => field)],
  ['an enum has one value more', 'GroupUpdateParams', changed('membership_policy', withOneMore)],
  [
    'an id is of another kind',
    'GroupMemberAddParams',
    changed('client_id', (field) => ({ ...field, pattern: '^grp_' })),
  ],
  [
    'a number starts at 0',
    'SettingsUpdateParams',
    changed('launch_token_ttl_seconds', (field) => ({ ...field, minimum: 0 })),
  ],
  ['a list may be empty', 'WebhookEndpointCreateParams', changed('events', ({ minItems: _, ...field }) => field)],
  ['a list may be longer', 'RoleCreateParams', changed('capabilities', (field) => ({ ...field, maxItems: 201 }))],
  [
    'an item is any text',
    'RoleUpdateParams',
    changed('capabilities', (field) => ({ ...field, items: { type: 'string' } })),
  ],
  ['two names of one field are accepted', 'ClientUpdateParams', ({ not: _, ...schema }) => schema],
];

test.each(DEFECTS)('the bodies find a defect: %s', (_, title, change) => {
  const agree = agreement(change(SCHEMAS[title]), SCHEMAS[title], 'body');
  const single = [...bodiesWithOneChange(SCHEMAS[title], 'body')].filter((fields) => !agree(fields));
  const { failed } = fc.check(fc.property(anyFields(SCHEMAS[title], 'body'), agree), { endOnFailure: true });
  expect(single.length > 0 || failed).toBe(true);
});

test('a keyword without a rule is refused', () => {
  expect(() => validate('INVALID_BODY', { type: 'object', oneOf: [] }, {})).toThrow('no rule for the keyword oneOf');
});

/** @returns a check that the server agrees with the mock and with Ajv */
function agreement(serverSchema: JsonSchema, schema: JsonSchema, source: Source): (fields: Fields) => boolean {
  const accepts = ajv.compile<unknown>(schema);
  return (fields) => {
    const server = validated(serverSchema, fields, source);
    const mock = check(schema, trim(schema, fields), source);
    const expected = mock.errors.length > 0 ? { errors: mock.errors } : { value: mock.value };
    return (
      isDeepStrictEqual(server, expected) && accepts(typed(schema, trim(schema, fields), source)) === 'value' in server
    );
  };
}

const ajv = new Ajv2020({ allowUnionTypes: true, strictRequired: false, validateFormats: false });
ajv.addVocabulary(['x-message', 'x-type', 'x-trim', 'x-same-as']);
ajv.addKeyword({
  keyword: 'x-format',
  type: 'string',
  validate: (name: FormatName, text: string) => 'value' in FORMATS[name].read(text),
});

function validated(schema: JsonSchema, fields: Fields, source: Source): object {
  try {
    return { value: validate('INVALID_BODY', schema, fields, source) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { errors: error.errors };
  }
}

/** Numbers of a query are text, which JSON Schema cannot express. */
function typed(schema: JsonSchema, fields: unknown, source: Source): unknown {
  if (source === 'body') return fields;
  const isNumber = (name: string, value: unknown): boolean =>
    schema.properties?.[name]?.type === 'integer' && typeof value === 'string' && /^\d{1,9}$/.test(value);
  const entries = Object.entries(fields as Fields);
  return Object.fromEntries(entries.map(([name, value]) => [name, isNumber(name, value) ? Number(value) : value]));
}

function* bodiesWithOneChange(schema: JsonSchema, source: Source): Iterable<Fields> {
  const properties = Object.entries(schema.properties ?? {});
  const valid = Object.fromEntries(
    properties
      .filter(([name]) => schema.required?.includes(name))
      .map(([name, field]) => [name, exampleFor(field, source)]),
  );
  yield valid;
  for (const name of Object.keys(valid))
    yield Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));
  for (const name of ['nope', 'Name', 'constructor', 'toString']) yield { ...valid, [name]: 'x' };
  for (const [name] of properties) {
    for (const value of source === 'body' ? BODY_VALUES : QUERY_VALUES) yield { ...valid, [name]: value };
  }
}

/** Generates mostly valid fields, so that about half of the bodies are accepted. */
function anyFields({ properties = {} }: JsonSchema, source: Source): fc.Arbitrary<Fields> {
  const pool = source === 'body' ? BODY_VALUES : QUERY_VALUES;
  const fields = Object.entries(properties).map(([name, field]) => {
    const valid = pool.filter((value) => check(field, trim(field, value), source).errors.length === 0);
    const anyValue = fc.oneof(fc.constantFrom(...pool), fc.string({ unit: 'grapheme' }), fc.jsonValue());
    const value = fc.oneof(
      { arbitrary: fc.constantFrom(exampleFor(field, source), ...valid), weight: 9 },
      { arbitrary: source === 'body' ? anyValue : fc.constantFrom(...pool), weight: 1 },
    );
    return [name, value] as const;
  });
  const unknown = fc.oneof(
    { arbitrary: fc.constant({}), weight: 9 },
    { arbitrary: fc.constant({ nope: 1 }), weight: 1 },
  );
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  return fc.tuple(known, unknown).map(([given, more]) => ({ ...given, ...more }));
}

function changed(name: string, change: (field: JsonSchema) => JsonSchema) {
  return (schema: JsonSchema): JsonSchema => {
    const { properties = {} } = schema;
    return { ...schema, properties: { ...properties, [name]: change(properties[name] ?? {}) } };
  };
}

function withOneMore(field: JsonSchema): JsonSchema {
  return { ...field, enum: [...(field.enum ?? []), 'active'] };
}

function titlesOf(pick: (schemas: OperationSchemas) => SchemaName | undefined): readonly SchemaName[] {
  const tables = [OPERATION_SCHEMAS, DEVELOPER_OPERATION_SCHEMAS];
  const rows = tables.flatMap((table) => Object.values<OperationSchemas>(table));
  const titles = rows.flatMap((schemas) => pick(schemas) ?? []);
  return [...new Set(titles)];
}
