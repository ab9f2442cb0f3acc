import fc from 'fast-check';
import { type Operation, type Parameter, resolve, type Schema } from '../openapi.ts';
import type { RawRequest } from '../raw-request.ts';
import { hostileBody, hostileEncoding, hostileText, hostileValue } from './hostile.ts';
import { idPrefixOf, idsOf, valid, type World } from './valid.ts';

/** One call of an operation, valid or not. */
export interface FuzzRequest extends RawRequest {
  /** The body before serialization, if it is a JSON value. */
  readonly value?: unknown;
}

/** An operation with its place in the document. */
export interface Target {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

type Choice<T> = readonly [good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>];

/**
 * Generates calls of an operation: all parts valid, one part invalid, or each part at random. One invalid part reaches
 * furthest; the first check refuses a call in which everything is wrong.
 */
export function requestsOf(
  { method, path, operation }: Target,
  apiKey: string,
  world: World,
): { readonly good: fc.Arbitrary<FuzzRequest>; readonly mixed: fc.Arbitrary<FuzzRequest> } {
  const parameters = (operation.parameters ?? []).map((each) => resolve(world.document, each));
  const body = operation.requestBody?.content['application/json'].schema;
  const paths = pathOf(path, parameters, world);
  const queries = queryOf(parameters, world);
  const headers = headersOf(parameters, apiKey);
  const bodies = bodyOf(body, method, world);
  const call = (bad: string): fc.Arbitrary<FuzzRequest> => {
    const part = <T>(name: string, [good, ill]: Choice<T>): fc.Arbitrary<T> =>
      bad === name ? ill : bad === 'any' ? fc.oneof(good, ill) : good;
    return fc
      .tuple(part('path', paths), part('query', queries), part('headers', headers), part('body', bodies))
      .map(([filled, query, sent, { bytes, value, type }]) => ({
        method,
        path: query === '' ? filled : `${filled}?${query}`,
        headers: [...sent, ...(type === undefined ? [] : [['Content-Type', type] as const])],
        ...(bytes === undefined ? {} : { body: bytes }),
        ...(value === undefined ? {} : { value }),
      }));
  };
  const good = call('none');
  const mixed = fc.oneof(
    { weight: 4, arbitrary: good },
    { weight: parameters.some((each) => each.in === 'path') ? 2 : 0, arbitrary: call('path') },
    { weight: 2, arbitrary: call('query') },
    { weight: 1, arbitrary: call('headers') },
    { weight: body ? 6 : 1, arbitrary: call('body') },
    { weight: 1, arbitrary: call('any') },
  );
  return { good, mixed };
}

function pathOf(path: string, parameters: readonly Parameter[], world: World): Choice<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const fill = (values: readonly string[]) =>
    names.reduce((filled, name, i) => filled.replace(`{${name}}`, () => values[i] ?? ''), path);
  const prefixes = names.map((name) => idPrefixOf(parameters.find((each) => each.name === name)?.schema ?? {}) ?? '');
  const good = idsOf(prefixes, world);
  const bad = fc.oneof(anyKnownId(world), hostileText.filter((text) => text !== '').map(encode), hostileEncoding);
  const oneBad = fc
    .tuple(good, bad, fc.nat())
    .map(([values, worse, nth]) => values.map((value, i) => (i === nth % values.length ? worse : value)));
  const unrelated = fc.tuple(...prefixes.map((prefix) => idsOf([prefix], world))).map((values) => values.flat());
  return [good.map(fill), fc.oneof(oneBad, unrelated).map(fill)];
}

function queryOf(parameters: readonly Parameter[], world: World): Choice<string> {
  const taken = parameters.filter((each) => each.in === 'query');
  const pair = (name: string, value: unknown) => `${encode(name)}=${encode(String(value))}`;
  const goodPairs = fc
    .tuple(...taken.map((each) => fc.tuple(fc.constant(each.name), queryValue(each, world))))
    .map((values) => values.filter(([, value]) => value !== undefined).map(([name, value]) => pair(name, value)));
  const names = fc.constantFrom('unknown', '__proto__', 'limit', 'starting_after', ...taken.map(({ name }) => name));
  const badPair = fc.oneof(
    fc.tuple(names, hostileText).map(([name, value]) => pair(name, value)),
    fc.tuple(names, hostileEncoding).map(([name, value]) => `${name}=${value}`),
    fc.tuple(names, anyKnownId(world)).map(([name, value]) => pair(name, value)),
    fc.tuple(names, names).map(([one, other]) => `${one}[${other}]=1&${one}[]=2&${one}.${other}=3`),
    hostileText.map(encode),
    // Longer than a request line may be.
    fc.constant(`limit=${'1'.repeat(17_000)}`),
  );
  const badPairs = fc
    .tuple(goodPairs, fc.array(badPair, { minLength: 1, maxLength: 3 }))
    .map(([good, bad]) => [...good, ...bad]);
  // Every parameter given twice.
  const twice = goodPairs.map((pairs) => [...pairs, ...pairs]);
  const join = (pairs: readonly string[]) => pairs.join('&');
  return [goodPairs.map(join), fc.oneof(badPairs, twice).map(join)];
}

/** Mostly left out: few calls with both cursors, or with every filter, find anything. */
function queryValue({ name, schema }: Parameter, world: World): fc.Arbitrary<unknown> {
  const isCursor = name === 'starting_after' || name === 'ending_before';
  const value = isCursor ? anyKnownId(world) : valid(schema, world);
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

function headersOf(parameters: readonly Parameter[], apiKey: string): Choice<readonly (readonly [string, string])[]> {
  const authorization = ['Authorization', `Bearer ${apiKey}`] as const;
  const takesKey = parameters.some((each) => each.in === 'header');
  const key = fc.option(fc.uuid(), { nil: undefined });
  const good = key.map((value) => [
    authorization,
    ...(takesKey && value !== undefined ? [['Idempotency-Key', value] as const] : []),
  ]);
  const names = fc.constantFrom(
    'Idempotency-Key',
    'Accept',
    'Content-Encoding',
    'X-Request-Id',
    'Expect',
    'If-None-Match',
    'Origin',
  );
  const values = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'a b',
      'gzip',
      'identity',
      '*/*',
      'text/html;q=NaN',
      'x'.repeat(256),
      'x'.repeat(4000),
      'same-key',
      '\u00e4',
    ),
    fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,60}$/),
  );
  const bad = fc.oneof(
    fc
      .array(
        fc.tuple(
          names.filter((name) => name !== 'Expect'),
          values,
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((more) => [authorization, ...more]),
    values.map((value) => [['Authorization', value] as const]),
    values.map((value) => [['Authorization', `Bearer ${value}`] as const]),
    fc.constant([authorization, authorization]),
    fc.constant([]),
    // The same key repeatedly with other bodies.
    fc.constant([authorization, ['Idempotency-Key', 'same-key'] as const]),
  );
  return [good, bad];
}

interface Body {
  readonly bytes?: Buffer;
  readonly value?: unknown;
  readonly type?: string;
}

const JSON_TYPE = 'application/json';

function bodyOf(schema: Schema | undefined, method: string, world: World): Choice<Body> {
  const json = (value: unknown): Body => ({ bytes: Buffer.from(toJson(value)), value, type: JSON_TYPE });
  const types = fc.constantFrom(
    JSON_TYPE,
    'application/json; charset=latin1',
    'application/merge-patch+json',
    'text/plain',
    '',
  );
  const raw = fc.tuple(hostileBody, types).map(([bytes, type]): Body => ({ bytes, type }));
  if (!schema) {
    const none = fc.constant<Body>({});
    return [none, method === 'get' ? none : fc.oneof(raw, hostileValue.map(json))];
  }
  const good = valid(schema, world);
  return [
    good.map(json),
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(good, breaks(schema, world)).map(([value, change]) => json(change(value))) },
      { weight: 1, arbitrary: hostileValue.map(json) },
      { weight: 2, arbitrary: raw },
    ),
  ];
}

/** Ways to invalidate one field of a valid body. */
function breaks(schema: Schema, world: World): fc.Arbitrary<(value: unknown) => unknown> {
  const { properties = {} } = resolve(world.document, schema);
  const names = fc.constantFrom(...Object.keys(properties), 'unknown');
  const put = (name: string, field: unknown) => (value: unknown) => ({ ...(value as object), [name]: field });
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(names, hostileValue).map(([name, field]) => put(name, field)) },
    { weight: 1, arbitrary: fc.tuple(names, anyKnownId(world)).map(([name, field]) => put(name, field)) },
    { weight: 1, arbitrary: names.map((name) => put(name, null)) },
    { weight: 1, arbitrary: names.map((name) => put(name, 'x'.repeat((properties[name]?.maxLength ?? 2048) + 1))) },
    { weight: 1, arbitrary: names.map((name) => (value: unknown) => without(value as object, name)) },
    { weight: 1, arbitrary: hostileText.map((name) => put(name, 1)) },
    { weight: 1, arbitrary: fc.constant((value: unknown) => [value]) },
  );
}

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

function anyKnownId({ ids }: World): fc.Arbitrary<string> {
  return fc.nat(10_000).map((nth) => ids.any(nth) ?? 'cli_unknown');
}

/** Half a surrogate pair has no UTF-8 form. Its three bytes are written as an encoder without checks would. */
function encode(text: string): string {
  return Array.from(text, (each) => (each.isWellFormed() ? encodeURIComponent(each) : '%ed%a0%80')).join('');
}

/** Serializes JSON and keeps minus zero. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (Object.is(each, -0) ? '-0!' : each))?.replaceAll('"-0!"', '-0') ?? 'null';
}
