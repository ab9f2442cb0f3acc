import type { JsonSchema } from '@plat/contract/schemas';
import { expect, test } from 'vitest';
import type { Route } from '../http/route.ts';
import { ROUTES } from '../resources/index.ts';
import { createDocument } from './create-document.ts';

const SERVERS = [{ url: 'https://api.example.com' }];
const document = createDocument(ROUTES, SERVERS);

test('every object, every field and every parameter has a description', () => {
  const { schemas, parameters } = document.components;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const silent = [
    ...Object.entries(schemas).flatMap(([name, schema]) => undescribed(name, schema)),
    ...Object.values(parameters).flatMap(({ name, description }) => (description === '' ? [name] : [])),
    ...operations.flatMap(({ operationId, parameters: taken = [] }) =>
      taken.flatMap((each) => ('name' in each && each.description === '' ? [`${operationId} ${each.name}`] : [])),
    ),
  ];
  expect(silent).toEqual([]);
});

test('every body and every response has an example of each field', () => {
  const { examples } = document.components;
  const lacking = Object.entries(examples).flatMap(([name, { value }]) => undefinedIn(name, value));
  expect(lacking).toEqual([]);
});

test('an operation with an id in its path documents the refusal of an unknown id', () => {
  const silent = ROUTES.filter(({ operation }) => operation.path.includes('{'))
    .filter(({ errors }) => !errors.some((code) => code.endsWith('_NOT_FOUND')))
    .map(({ name }) => name);
  expect(silent).toEqual([]);
});

test('a deprecated operation documents its date and its headers', () => {
  const [first] = ROUTES;
  if (!first) throw new Error('there are routes');
  const old: Route = {
    ...first,
    operation: { ...first.operation, deprecated: { since: '2026-01-31', sunset: '2026-06-30' } },
  };
  const { paths } = createDocument([old], SERVERS);
  const operation = paths[old.operation.path]?.['get'];
  expect(operation).toMatchObject({ deprecated: true, description: expect.stringContaining('2026-01-31') });
  expect(operation?.responses[200]).toMatchObject({
    headers: { Deprecation: { $ref: expect.any(String) }, Sunset: { $ref: expect.any(String) } },
  });
});

test('two different objects with one name are an error', () => {
  const [first, second] = ROUTES.filter(({ operation }) => !operation.list);
  if (!first || !second) throw new Error('there are routes');
  const { title = '' } = first.response;
  const clash: Route = { ...second, response: { ...second.response, title } };
  expect(() => createDocument([first, clash], SERVERS)).toThrow('give one of them another');
});

function undescribed(path: string, schema: JsonSchema): string[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([name, field]) => [`${path}.${name}`, field] as const),
    ...(schema.items?.properties ? [[`${path}[]`, schema.items] as const] : []),
  ];
  const isSilent = schema.$ref === undefined && schema.description === undefined && !refersOnly(schema);
  return [...(isSilent ? [path] : []), ...inner.flatMap(([name, field]) => undescribed(name, field))];
}

/** Accepts a reference or null: the component has the description. */
function refersOnly({ anyOf = [] }: JsonSchema): boolean {
  return anyOf.some(({ $ref }) => $ref !== undefined);
}

function undefinedIn(path: string, value: unknown): string[] {
  if (value === undefined) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => undefinedIn(`${path}.${name}`, inner));
}
