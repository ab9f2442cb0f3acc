import { randomBytes } from 'node:crypto';
import { HEADERS } from '@plat/contract';
import {
  captureStatements,
  createTestServer,
  execute,
  hashToken,
  newToken,
  ROUTES,
  type Route,
  type TestServer,
  unitOfWork,
} from '@plat/server/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { beginLogin, poll, signedInDeveloper } from '../support/developer.ts';
import { expectOAuthRefusal, postForm, secretOf } from '../support/oauth.ts';
import { visitor } from '../support/visitor.ts';

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
  const env = { PLAT_RATE_LIMIT: '2000', PLAT_APP_RATE_LIMIT: '2000', PLAT_ADDRESS_RATE_LIMIT: '100000' };
  server = await createTestServer({ databaseUrl: database.url, routes, env });
});
afterAll(async () => {
  await server?.close();
  await database?.drop();
});

async function newApi(): Promise<Api> {
  return apiOf(server.baseUrl, (await server.createTenant()).apiKey);
}

test('one tenant that floods a process is refused with 503, and others are served meanwhile', async () => {
  const { tenantId, apiKey } = await server.createTenant();
  const replaced = apiOf(server.baseUrl, apiKey);
  expect((await replaced('/v1/me')).status).toBe(200);
  const [busy, quiet] = [apiOf(server.baseUrl, await server.mintKey(tenantId)), await newApi()];
  expectRefusal(await replaced('/v1/me'), 'INVALID_TOKEN');
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
  // A key that was replaced takes no slot of the tenant.
  expectRefusal(await replaced('/v1/me'), 'INVALID_TOKEN');

  release();
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(500);
  expect((await busy('/v1/groups')).status).toBe(200);
});

test('one app that floods the OAuth endpoints is refused with 503, and others are served meanwhile', async () => {
  const { tenantId } = await server.createTenant();
  const [replaced, quiet] = [await server.createApp(), await server.createApp()];
  const { tokens } = await server.grantTokens({ app: replaced, tenantId });
  const busy = { ...replaced, clientSecret: newToken('plat_cs_') };
  const hash = hashToken(busy.clientSecret);
  await execute(server.db, 'UPDATE oauth_apps SET secret_hash = :hash WHERE id = :id', { hash, id: busy.appId });
  const other = await server.grantTokens({ app: quiet, tenantId });
  const post = (path: string, token: string, app = busy) =>
    postForm(server.baseUrl + path, { token, ...secretOf(app) });
  const introspectReplaced = () => post('/oauth/introspect', tokens.access_token, replaced);
  expectOAuthRefusal(await introspectReplaced(), 'INVALID_CLIENT_SECRET', 'invalid_client');
  const { release, ended } = await holdWriter();
  const flood = Array.from({ length: 600 }, () => post('/oauth/revoke', tokens.access_token));
  const first = await Promise.race(flood);
  expectOAuthRefusal(first, 'SERVICE_UNAVAILABLE', 'temporarily_unavailable');
  expect(first.headers.get('retry-after')).toBe('1');

  const introspection = await post('/oauth/introspect', other.tokens.access_token, quiet);
  expect(introspection.body).toMatchObject({ active: true });
  // A wrong secret takes no slot of the app.
  const wrong = await post('/oauth/introspect', tokens.access_token, { ...busy, clientSecret: quiet.clientSecret });
  expectOAuthRefusal(wrong, 'INVALID_CLIENT_SECRET', 'invalid_client');
  expectOAuthRefusal(await introspectReplaced(), 'INVALID_CLIENT_SECRET', 'invalid_client');

  release();
  await ended;
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await post('/oauth/introspect', tokens.access_token)).body).toEqual({ active: false });
});

test('one account that floods the console is refused with 503, and another one is served meanwhile', async () => {
  const [busy, quiet] = [await signedInDeveloper(server), await signedInDeveloper(server)];
  const other = visitor(server.baseUrl, quiet.session.cookie);
  expect((await other.get('/console')).status).toBe(200);
  const headers = { accept: 'application/json', cookie: busy.session.cookie };
  const open = async () => {
    const response = await fetch(`${server.baseUrl}/console`, { headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: response.ok ? text : JSON.parse(text) };
  };
  expect((await open()).status).toBe(200);
  const { cookie } = await server.signInDeveloper(busy.id);
  const signedOut = visitor(server.baseUrl, cookie);
  expect((await signedOut.get('/console')).status).toBe(200);
  await signedOut.post('/console/sign-out');
  const openSignedOut = async () => (await visitor(server.baseUrl, cookie).get('/console')).location;
  expect(await openSignedOut()).toMatch(/sign-in/);
  const released = Promise.withResolvers<void>();
  const { developer } = server.db.models;
  const find = developer.findByPk.bind(developer) as (...given: readonly unknown[]) => Promise<null>;
  const slow = vi.spyOn(developer, 'findByPk').mockImplementation(async (id, options) => {
    if (id === busy.id) await released.promise;
    return find(id, options);
  });
  const flood = Array.from({ length: 600 }, open);
  const first = await Promise.race(flood);
  expectRefusal(first, 'SERVICE_UNAVAILABLE');
  expect(first.headers.get('retry-after')).toBe('1');
  expect((await other.get('/console')).status).toBe(200);
  expect(await openSignedOut()).toMatch(/sign-in/);
  // The API of the same tenant has its own share.
  expect((await apiOf(server.baseUrl, busy.apiKey)('/v1/me')).status).toBe(200);

  released.resolve();
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  slow.mockRestore();
});

test('visitors without a session who flood sign-in, login and invitation pages are refused with 503, and others are served', async () => {
  const { session, apiKey } = await signedInDeveloper(server);
  const { device_code } = await beginLogin(server);
  const account = visitor(server.baseUrl, session.cookie);
  expect((await account.get('/console')).status).toBe(200);
  const released = Promise.withResolvers<void>();
  const { deviceLogin } = server.db.models;
  const find = deviceLogin.findOne.bind(deviceLogin) as (...given: readonly unknown[]) => Promise<null>;
  const slow = vi.spyOn(deviceLogin, 'findOne').mockImplementation(async (options) => {
    await released.promise;
    return find(options);
  });
  const flood = Array.from({ length: 600 }, () => poll(server, device_code));
  const first = await Promise.race(flood);
  expect(first.status).toBe(503);
  expect(first.headers.get('retry-after')).toBe('1');
  // Look-ups for visitors share their slots, so that they cannot take those of accounts and keys.
  for (const path of [
    '/sign-in/link?token=unknown',
    '/invitations/accept?token=unknown',
    '/oauth/authorize?client_id=unknown',
  ]) {
    const response = await fetch(server.baseUrl + path, { redirect: 'manual' });
    expect([path, response.status]).toEqual([path, 503]);
    expect(response.headers.get('retry-after')).toBe('1');
    await response.text();
  }
  expect((await account.get('/console')).status).toBe(200);
  expect((await apiOf(server.baseUrl, apiKey)('/v1/me')).status).toBe(200);

  released.resolve();
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([400, 503]));
  slow.mockRestore();
  expect((await fetch(`${server.baseUrl}/sign-in`)).status).toBe(200);
});

/** Holds the one writer of SQLite until the story releases it. */
async function holdWriter(): Promise<{ readonly release: () => void; readonly ended: Promise<void> }> {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const ended = unitOfWork(server.db, () => {
    begun.resolve();
    return released.promise;
  });
  await begun.promise;
  return { release: () => released.resolve(), ended };
}

const PRODUCTION = { NODE_ENV: 'production', PLAT_MASTER_KEY: randomBytes(32).toString('base64') };

test.each([
  ['without a statement of the database', PRODUCTION, 0],
  ['after a look-up in development, whose tools see each request', {}, 1],
])('a key over its rate limit is refused again %s', async (_title, mode, lookUps) => {
  const limited = await createTestServer({ databaseUrl: database.url, env: { PLAT_RATE_LIMIT: '2', ...mode } });
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
  expect(statements.filter((text) => text.includes('api_keys'))).toHaveLength(lookUps);
  await limited.close();
});
