import { randomBytes } from 'node:crypto';
import { createTestServer, type TestServer } from '@plat/server/testing';
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { useServer } from '../support/story.ts';

/* Access to the development endpoints, by caller and by server. */

const story = useServer();
const PATHS = ['/_dev/clock', '/_dev/idle', '/_dev/mail'];

describe('every path below /_dev', () => {
  test.each(PATHS)('%s answers loopback callers', async (path) => {
    const { status, headers } = await apiOf(story.server.baseUrl)(path, { headers: { accept: 'application/json' } });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['a proxy', { 'x-forwarded-for': '127.0.0.1' }],
    ['a page of another site', { origin: 'https://attacker.example' }],
    ['a form of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('responds 404 for %s', async (_who, headers) => {
    const api = apiOf(story.server.baseUrl);
    for (const path of PATHS) expectRefusal(await api(path, { headers }), 'NOT_FOUND');
    const moved = await api('/_dev/clock/advance', { body: { seconds: 1 }, headers });
    expectRefusal(moved, 'NOT_FOUND');
  });

  test('accepts JSON only, which a page of another site cannot send without a preflight', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await apiOf(story.server.baseUrl)('/_dev/clock/advance', { body: '{"seconds":1}', headers });
    expectRefusal(answer, 'INVALID_BODY');
  });

  test('has an error body for unknown paths', async () => {
    expectRefusal(await apiOf(story.server.baseUrl)('/_dev/nothing'), 'NOT_FOUND');
  });
});

describe('a server in the development mode whose base URL is not loopback', () => {
  test.each([
    ['behind a proxy that hides itself', { PLAT_BASE_URL: 'https://plat.example' }],
    ['under a path of a proxy', { PLAT_BASE_URL: 'https://plat.example/prefix' }],
    ['under an address of the network', { PLAT_BASE_URL: 'http://192.0.2.7:4010' }],
    ['under a name that begins like a loopback one', { PLAT_BASE_URL: 'http://localhost.example.com' }],
    ['listening on every address', { HOST: '0.0.0.0' }],
  ])('has no path below /_dev: %s', async (_how, env) => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const server = await startOn(env, log);
    try {
      const api = apiOf(`http://127.0.0.1:${server.port}`);
      for (const path of PATHS) expectRefusal(await api(path), 'NOT_FOUND');
      expectRefusal(await api('/_dev/clock/advance', { body: { seconds: 1 } }), 'NOT_FOUND');
      expectRefusal(await api('/_dev/tenants', { body: {} }), 'NOT_FOUND');
      expect(lines.join('')).toMatch(/\/_dev is closed.*PLAT_BASE_URL/);
    } finally {
      await server.close();
    }
  });

  test.each([
    { PLAT_BASE_URL: 'http://localhost:4010' },
    { PLAT_BASE_URL: 'http://127.0.0.1:4010/prefix' },
    { PLAT_BASE_URL: 'http://[::1]:4010' },
    { HOST: 'localhost' },
  ])('and one whose base URL is loopback has them: %j', async (env) => {
    const server = await startOn(env, pino({ level: 'silent' }));
    try {
      const api = apiOf(`http://localhost:${server.port}`);
      for (const path of PATHS) {
        expect((await api(path, { headers: { accept: 'application/json' } })).status).toBe(200);
      }
    } finally {
      await server.close();
    }
  });

  async function startOn(env: Record<string, string>, log: Logger) {
    const port = await freePort();
    const { close } = await createTestServer({ env: { ...env, PORT: String(port) }, log });
    return { port, close };
  }
});

describe('production', () => {
  const production = { NODE_ENV: 'production', PLAT_MASTER_KEY: randomBytes(32).toString('base64') };
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await migratedDatabase();
  });
  afterAll(() => database.drop());

  async function withServer(env: Record<string, string>, act: (server: TestServer) => Promise<void>): Promise<void> {
    const server = await createTestServer({ databaseUrl: database.url, env });
    try {
      await act(server);
    } finally {
      await server.close();
    }
  }

  test('has none of the paths, and its clock cannot be moved', async () => {
    await withServer(production, async (server) => {
      for (const path of [...PATHS, '/console/_components']) {
        expect((await fetch(server.baseUrl + path, { headers: { accept: 'application/json' } })).status).toBe(404);
      }
      expect(() => server.clock).toThrow(/development mode/);
    });
  });

  test('marks the database, so that the development mode refuses it', async () => {
    const { PLAT_MASTER_KEY } = production;
    await withServer({ PLAT_MASTER_KEY }, async (server) => {
      const api = apiOf(server.baseUrl);
      for (const path of PATHS) expectRefusal(await api(path), 'DEV_TOOLS_REFUSED');
      expectRefusal(await api('/_dev/clock/advance', { body: { seconds: 1 } }), 'DEV_TOOLS_REFUSED');
      const { apiKey } = await server.createTenant();
      expect((await apiOf(server.baseUrl, apiKey)('/v1/me')).status).toBe(200);
    });
  });
});
