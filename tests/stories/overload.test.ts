import { HEADERS } from '@plat/contract';
import { captureStatements, createTestServer, ROUTES, type Route, type TestServer } from '@plat/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';

/** Held until the story releases it. */
let held: Promise<void> = Promise.resolve();
let running = 0;

const routes: readonly Route[] = ROUTES.map((route) =>
  route.name !== 'groups.list'
    ? route
    : {
        ...route,
        async read(ctx, input) {
          running++;
          await held;
          running--;
          return route.read(ctx, input);
        },
      },
);

let database: FreshDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await migratedDatabase();
  server = await createTestServer({ databaseUrl: database.url, routes, env: { PLAT_RATE_LIMIT: '2000' } });
});
afterAll(async () => {
  await server?.close();
  await database?.drop();
});

async function newApi(): Promise<Api> {
  return apiOf(server.baseUrl, (await server.createTenant()).apiKey);
}

test('one tenant that floods a process is refused with 503, and others are served meanwhile', async () => {
  const [busy, quiet] = [await newApi(), await newApi()];
  // Both keys were used before.
  for (const api of [busy, quiet]) expect((await api('/v1/me')).status).toBe(200);
  let release = (): void => undefined;
  held = new Promise((resolve) => {
    release = resolve;
  });
  const flood = Array.from({ length: 600 }, () => busy('/v1/groups'));
  const [first] = await Promise.all([Promise.race(flood), expect.poll(() => running).toBeGreaterThan(0)]);
  expect(first.status).toBe(503);
  expectRefusal(first, 'SERVICE_UNAVAILABLE');
  expect(first.headers.get('retry-after')).toBe('1');

  expect((await quiet('/v1/clients')).status).toBe(200);
  expect((await quiet('/v1/clients', { body: { name: 'Acme' } })).status).toBe(201);
  for (const path of ['/livez', '/readyz']) expect((await fetch(server.baseUrl + path)).status).toBe(200);

  release();
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(500);
  expect((await busy('/v1/groups')).status).toBe(200);
});

test('a key over its rate limit is refused again without a statement of the database', async () => {
  const limited = await createTestServer({ databaseUrl: database.url, env: { PLAT_RATE_LIMIT: '2' } });
  const api = apiOf(limited.baseUrl, (await limited.createTenant()).apiKey);
  for (let n = 0; n < 2; n++) await api('/v1/me');
  const first = await api('/v1/me');
  expectRefusal(first, 'RATE_LIMITED');
  let again = first;
  const statements = await captureStatements(limited.db, async () => {
    again = await api('/v1/me');
  });
  expectRefusal(again, 'RATE_LIMITED');
  for (const name of ['retry-after', HEADERS.rateLimit, HEADERS.rateRemaining, HEADERS.rateReset]) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(statements.filter((text) => text.includes('api_keys'))).toEqual([]);
  await limited.close();
});
