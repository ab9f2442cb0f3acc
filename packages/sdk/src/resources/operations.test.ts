import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEVELOPER_OPERATIONS,
  type DeveloperOperationName,
  type List,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  type WebhookDelivery,
} from '@plat/contract';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { DeveloperApi } from '../developer/developer-api.ts';
import { Platform } from '../platform.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';

const sent: TransportRequest[] = [];
const transport: Transport = {
  async send(request) {
    sent.push(request);
    return { status: 200, headers: new Headers(), body: '{"object":"list","data":[],"has_more":false,"url":""}' };
  },
};
const platform = new Platform({ apiKey: 'plat_test_x', baseUrl: 'http://127.0.0.1:1', transport });

const developer = new DeveloperApi({ token: 'plat_dv_x', baseUrl: 'http://127.0.0.1:1', transport });

/** Operations with only path parameters that are neither GET nor DELETE. */
const WITHOUT_BODY: readonly string[] = [
  'users.invite',
  'users.deactivate',
  'webhooks.replays.cancel',
] satisfies OperationName[];
const DEVELOPER_WITHOUT_BODY: readonly string[] = [
  'sandbox.reset',
  'apps.disable',
  'apps.enable',
  'apps.request_verification',
  'apps.webhooks.replays.cancel',
] satisfies DeveloperOperationName[];

/**
 * Returns the method of an operation, for example `platform.webhooks.endpoints.rotateSecret` for
 * `webhooks.endpoints.rotate_secret`.
 */
function methodOf(client: object, operation: string): unknown {
  const path = operation.split('.').map(toCamel);
  return path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), client);
}

function toCamel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function methodsIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(methodsIn) : [value];
}

describe.each([
  { name: 'platform', client: platform, operations: OPERATIONS, withoutBody: WITHOUT_BODY },
  { name: 'developer', client: developer, operations: DEVELOPER_OPERATIONS, withoutBody: DEVELOPER_WITHOUT_BODY },
])('the methods of $name', ({ name: variable, client, operations, withoutBody }) => {
  test.each(Object.entries<OperationInfo>(operations))('%s has a method that calls it', async (name, info) => {
    const method = methodOf(client, name);
    expect(method).toBeTypeOf('function');
    const ids = [...info.path.matchAll(/\{/g)].map((_, index) => `id_${index}`);
    sent.length = 0;
    const hasBody = (info.method === 'POST' || info.method === 'PATCH') && !withoutBody.includes(name);
    await Reflect.apply(method as () => unknown, undefined, [...ids, ...(hasBody ? [{ name: 'Acme' }] : [])]);
    let index = 0;
    const path = info.path.replaceAll(/\{[^}]+\}/g, () => `id_${index++}`);
    expect(sent).toMatchObject([{ method: info.method, path, body: hasBody ? '{"name":"Acme"}' : undefined }]);
    expect('idempotency-key' in (sent[0]?.headers ?? {})).toBe(info.method === 'POST');
  });

  test('there are no methods besides those of the operations', () => {
    const methods = methodsIn({ ...client });
    expect(methods).toHaveLength(Object.keys(operations).length);
    expect(new Set(methods)).toEqual(new Set(Object.keys(operations).map((name) => methodOf(client, name))));
  });

  test('the README lists each operation in the row of its family', () => {
    const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
    const missing = Object.keys(operations).filter((operation) => {
      const [, family = '', verb = ''] = /^(.+)\.(.+)$/.exec(operation) ?? [];
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${variable}.${toCamel(family)}\` |`));
      return !row?.includes(`\`${toCamel(verb)}\``);
    });
    expect(missing).toEqual([]);
  });
});

test('a POST whose parameters are all optional sends an empty object without them', async () => {
  sent.length = 0;
  await platform.webhooks.endpoints.rotateSecret('whe_1');
  await platform.webhooks.events.replay('evt_1');
  expect(sent.map(({ body }) => body)).toEqual(['{}', '{}']);
});

test('a POST without parameters has its options after the id, and sends no body', async () => {
  sent.length = 0;
  await platform.users.invite('usr_1', { idempotencyKey: 'once', headers: { 'x-trace': 'a' } });
  await platform.users.deactivate('usr_1');
  expect(sent.map(({ body }) => body)).toEqual([undefined, undefined]);
  expect(sent[0]?.headers).toMatchObject({ 'idempotency-key': 'once', 'x-trace': 'a' });
  expect(sent[1]?.headers['idempotency-key']).toMatch(/./);
  expect(sent[1]?.headers).not.toHaveProperty('content-type');
});

test('a replay returns a list that is not a page', async () => {
  sent.length = 0;
  const deliveries = await platform.webhooks.events.replay('evt_1', { endpoint_id: 'whe_1' }, { idempotencyKey: 'r' });
  expectTypeOf(deliveries).toEqualTypeOf<List<WebhookDelivery>>();
  expect(deliveries.data).toEqual([]);
  expect(sent).toMatchObject([{ body: '{"endpoint_id":"whe_1"}', headers: { 'idempotency-key': 'r' } }]);
});
