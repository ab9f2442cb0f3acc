import { HEADERS, type OperationName } from '@plat/contract';
import { Platform, type Warning } from '@plat/sdk';
import { ROUTES, type Route } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import { useServer } from '../support/story.ts';

const deprecated = { since: '2026-01-31', sunset: '2026-06-30', link: 'https://docs.example/customers' };

/** A route of the service with other attributes. */
function changed(name: OperationName, operation: Partial<Route['operation']>): Route {
  const route = ROUTES.find((each) => each.name === name);
  if (!route) throw new Error(`there is no route ${name}`);
  return { ...route, operation: { ...route.operation, ...operation } };
}

/** Two invented routes, and one route of the service that is deprecated. */
const routes = [
  ...ROUTES.filter(({ name }) => name !== 'me.get'),
  changed('me.get', { deprecated: { since: '2026-01-31' } }),
  changed('clients.get', { path: '/v1/customers/{client_id}', deprecated }),
  changed('clients.create', { path: '/v1/customers', deprecated }),
];

const story = useServer({ routes });
let api: Api;
let apiKey: string;

beforeAll(async () => {
  ({ apiKey } = await story.server.createTenant());
  api = apiOf(story.server.baseUrl, apiKey);
});

const announcement = ({ headers }: Answer) =>
  [HEADERS.deprecation, HEADERS.sunset, HEADERS.link].map((h) => headers.get(h));

const WHOLE = ['@1769817600', 'Tue, 30 Jun 2026 00:00:00 GMT', '<https://docs.example/customers>; rel="deprecation"'];
const NONE = [null, null, null];

test('a deprecated route works, and its headers name the deprecation date, the sunset and the documentation', async () => {
  const created = await api('/v1/customers', { body: { name: 'Acme' } });
  expect([created.status, announcement(created)]).toEqual([201, WHOLE]);
  const shown = await api(`/v1/customers/${created.body.id}`);
  expect([shown.body, announcement(shown)]).toEqual([created.body, WHOLE]);
  expect(announcement(await api('/v1/me'))).toEqual(['@1769817600', null, null]);
});

test('refusals of a deprecated route have the headers too, from the gate and from the handler', async () => {
  const scopes = ['groups:read'] as const;
  const weak = apiOf(story.server.baseUrl, (await story.server.createTenant({ scopes })).apiKey);
  const path = '/v1/customers/cli_01hzzzzzzzzzzzzzzzzzzzzzzz';
  const refusals = [
    [await apiOf(story.server.baseUrl)(path), 'INVALID_TOKEN'],
    [await apiOf(story.server.baseUrl, 'plat_test_x')(path), 'INVALID_TOKEN'],
    [await weak(path), 'INSUFFICIENT_SCOPE'],
    [await api(path), 'CLIENT_NOT_FOUND'],
    [await api('/v1/customers', { body: '{' }), 'INVALID_BODY'],
  ] as const;
  for (const [answer, code] of refusals) {
    expectRefusal(answer, code);
    expect(announcement(answer), code).toEqual(WHOLE);
  }
});

test('no other route has the headers: not its successor, not another method of its path, not an unknown one', async () => {
  const { body } = await api('/v1/clients', { body: { name: 'Acme' } });
  expect(announcement(await api(`/v1/clients/${body.id}`))).toEqual(NONE);
  expect(announcement(await api(`/v1/customers/${body.id}`, { method: 'DELETE' }))).toEqual(NONE);
  expect(announcement(await api('/v1/customers'))).toEqual(NONE);
});

test('the SDK warns once for each operation', async () => {
  const warnings: Warning[] = [];
  const platform = new Platform({ baseUrl: story.server.baseUrl, apiKey, onWarning: (each) => warnings.push(each) });
  for (let i = 0; i < 2; i++) {
    const { id } = await platform.clients.create({ name: 'Acme' });
    await platform.request('GET', `/v1/customers/${id}`);
    await platform.me.get();
  }
  expect(warnings.map(({ code }) => code)).toEqual(['DEPRECATED_OPERATION', 'DEPRECATED_OPERATION']);
  expect(warnings.map(({ message }) => message)).toEqual([
    'GET /v1/customers/{id} is deprecated as of 2026-01-31; it may be gone from 2026-06-30; see https://docs.example/customers',
    'me.get is deprecated as of 2026-01-31; it may be removed 90 days after the notice',
  ]);
});

test('the OpenAPI document of the server marks the operation as deprecated', async () => {
  const { paths } = (await api('/openapi.json')).body;
  expect(paths['/v1/customers'].post.deprecated).toBe(true);
  expect(paths['/v1/clients'].post).not.toHaveProperty('deprecated');
});
