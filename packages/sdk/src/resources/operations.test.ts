import { OPERATIONS, type OperationInfo } from '@plat/contract';
import { expect, test } from 'vitest';
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

/** `webhooks.endpoints.rotate_secret` → its method, `platform.webhooks.endpoints.rotateSecret`. */
function methodOf(operation: string): unknown {
  const path = operation.split('.').map((part) => part.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
  return path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), platform);
}

function methodsIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(methodsIn) : [value];
}

test.each(Object.entries<OperationInfo>(OPERATIONS))('%s has its method, which calls it', async (name, info) => {
  const method = methodOf(name);
  expect(method).toBeTypeOf('function');
  const ids = [...info.path.matchAll(/\{/g)].map((_, index) => `id_${index}`);
  sent.length = 0;
  const input = info.method === 'GET' || info.method === 'DELETE' ? [] : [{ name: 'Acme' }];
  await Reflect.apply(method as () => unknown, undefined, [...ids, ...input]);
  let index = 0;
  const path = info.path.replaceAll(/\{[^}]+\}/g, () => `id_${index++}`);
  expect(sent).toMatchObject([{ method: info.method, path, body: input.length ? '{"name":"Acme"}' : undefined }]);
});

test('no method is there beside those of the operations', () => {
  const methods = methodsIn({ ...platform });
  expect(methods).toHaveLength(Object.keys(OPERATIONS).length);
  expect(new Set(methods)).toEqual(new Set(Object.keys(OPERATIONS).map(methodOf)));
});

test('rotateSecret without parameters sends an empty object', async () => {
  sent.length = 0;
  await platform.webhooks.endpoints.rotateSecret('whe_1');
  expect(sent[0]?.body).toBe('{}');
});
