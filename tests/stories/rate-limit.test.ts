import { HEADERS } from '@plat/contract';
import { expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { developerConsole } from '../support/console.ts';
import { useServer } from '../support/story.ts';

const story = useServer({ env: { PLAT_RATE_LIMIT: '5', PLAT_RATE_WINDOW: '60', PLAT_SANDBOX_WRITES: '6' } });

test('every response to a known credential has the rate limit headers, refusals too', async () => {
  const { apiKey } = await story.server.createTenant({ scopes: ['clients:read'] });
  const api = apiOf(story.server.baseUrl, apiKey);
  const answers = [await api('/v1/me'), await api('/v1/nothing'), await api('/v1/clients', { body: {} })];
  for (const [i, { headers }] of answers.entries()) {
    expect(headers.get(HEADERS.rateLimit)).toBe('5');
    expect(headers.get(HEADERS.rateRemaining)).toBe(String(4 - i));
    const reset = Number(headers.get(HEADERS.rateReset));
    expect(reset).toBeGreaterThan(Date.now() / 1000);
    expect(reset).toBeLessThanOrEqual(Date.now() / 1000 + 61);
  }
});

test('a call over the limit is RATE_LIMITED with Retry-After, before the body is read', async () => {
  const { apiKey } = await story.server.createTenant();
  const api = apiOf(story.server.baseUrl, apiKey);
  for (let i = 0; i < 5; i++) expect((await api('/v1/me')).status).toBe(200);
  for (const refused of [await api('/v1/me'), await api('/v1/clients', { body: '{' }), await api('/v1/nothing')]) {
    expectRefusal(refused, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get(HEADERS.rateRemaining)).toBe('0');
  }
});

test('a call over the limit does not count as a change of the sandbox', async () => {
  const { apiKey, tenantId } = await story.server.createSandbox();
  const create = (key: string) => apiOf(story.server.baseUrl, key)('/v1/clients', { body: { name: 'Acme' } });
  for (let i = 0; i < 5; i++) expect((await create(apiKey)).status).toBe(201);
  expectRefusal(await create(apiKey), 'RATE_LIMITED');
  const next = await story.server.mintKey(tenantId);
  expect((await create(next)).status).toBe(201);
  expectRefusal(await create(next), 'RATE_LIMITED');
});

test('a change in the console counts like one over the API; the key can still be replaced', async () => {
  const { api, post, submit, get } = await developerConsole(story.server);
  for (let i = 0; i < 4; i++) expect((await api('/v1/clients', { body: { name: 'Acme' } })).status).toBe(201);
  const create = () => submit('/console/clients/new', { name: 'Acme' });
  expect([(await create()).status, (await create()).status]).toEqual([303, 303]);
  const refused = await create();
  expect(refused.status).toBe(429);
  expect(refused.text).toContain('Over 6 changes of this sandbox');
  expect((await get('/console/clients')).status).toBe(200);
  expect((await post('/console/key', { seen: 'x', 'scope.me:read': 'on' })).status).toBe(409);
});

test('each credential has a separate limit', async () => {
  const [first, second] = [await story.server.createTenant(), await story.server.createTenant()];
  for (let i = 0; i < 6; i++) await apiOf(story.server.baseUrl, first.apiKey)('/v1/me');
  expect((await apiOf(story.server.baseUrl, second.apiKey)('/v1/me')).status).toBe(200);
});
