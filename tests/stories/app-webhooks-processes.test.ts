import { randomBytes } from 'node:crypto';
import { createTestServer, type TestApp, type TestServer } from '@plat/server/testing';
import { type AppEvent, isAppEvent, verify } from '@plat/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { postForm, refreshForm, secretOf } from '../support/oauth.ts';
import { startReceiver } from '../support/receiver.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* The end of an app's access: dead in every process at the next request, and reported to the app. */

let database: FreshDatabase;
let servers: readonly ServerProcess[];
/** A third process, for what a story arranges. */
let here: TestServer;
let developer: SignedInDeveloper;

beforeAll(async () => {
  database = await migratedDatabase();
  const env = { DATABASE_URL: database.url, PLAT_MASTER_KEY: randomBytes(32).toString('base64') };
  const folder = tempFolder('processes').path;
  servers = await Promise.all([1, 2].map((n) => startServerProcess(env, `${folder}/${n}`)));
  here = await createTestServer({ databaseUrl: database.url, env: { ...env, PLAT_DISPATCH: 'false' } });
  developer = await signedInDeveloper(here);
});
afterAll(async () => {
  await Promise.all([...servers.map((server) => server.stop()), here.close()]);
  await database.drop();
});

const baseUrl = (i: number) => servers[i]?.baseUrl ?? '';

interface World {
  readonly app: TestApp;
  readonly tenantId: string;
  readonly grantId: string;
  readonly tokens: { readonly access_token: string; readonly refresh_token: string };
}

/** Ways in which access ends, each with the process that does it, and the events that the app receives. */
const ENDS: Readonly<
  Record<string, { end(world: World): Promise<unknown>; types: readonly string[]; reason?: string; answers?: string }>
> = {
  'an owner revokes the consent': {
    end: ({ tenantId, grantId }) => here.revokeConsent(tenantId, grantId),
    types: ['installation.revoked'],
    reason: 'tenant',
  },
  'the app revokes its token at the first server': {
    end: ({ app, tokens }) => postForm(`${baseUrl(0)}/oauth/revoke`, { token: tokens.refresh_token, ...secretOf(app) }),
    types: ['installation.revoked'],
    reason: 'app',
  },
  'a refresh token is used at both servers': {
    end: async ({ app, tokens }) => {
      for (const i of [0, 1]) await postForm(`${baseUrl(i)}/oauth/token`, refreshForm(app, tokens.refresh_token));
    },
    types: ['installation.reuse_detected', 'installation.revoked'],
    reason: 'refresh_token_reused',
  },
  'the developer disables the app at the first server': {
    end: ({ app }) => developerApi(0)(`/developer/v1/apps/${app.appId}/disable`, { method: 'POST' }),
    types: ['app.disabled'],
    answers: 'APP_DISABLED',
  },
  'the developer deletes the app at the second server': {
    end: ({ app }) => developerApi(1)(`/developer/v1/apps/${app.appId}`, { method: 'DELETE' }),
    types: ['app.deleted'],
    answers: 'INVALID_CLIENT_SECRET',
  },
};

let token = '';
const developerApi = (i: number) => apiOf(baseUrl(i), token);

test.each(Object.entries(ENDS))(
  '%s: every token is dead at the next request in both processes, and the app hears it',
  async (_, given) => {
    ({ token } = await login(here, developer));
    const receiver = await startReceiver();
    const app = await here.createApp({ developerId: developer.id, verified: true });
    const created = await developerApi(0)(`/developer/v1/apps/${app.appId}/webhooks/endpoints`, {
      body: { url: receiver.url, events: ['*'] },
    });
    expect(created.status).toBe(201);
    const { tenantId } = await here.createTenant({ sandbox: false });
    const granted = await here.grantTokens({ app, tenantId });
    const world = { app, tenantId, ...granted };
    for (const i of [0, 1]) expect((await apiOf(baseUrl(i), granted.tokens.access_token)('/v1/me')).status).toBe(200);
    await receiver.waitFor(1);

    await given.end(world);
    for (const i of [0, 1]) {
      expectRefusal(await apiOf(baseUrl(i), granted.tokens.access_token)('/v1/me'), 'INVALID_TOKEN');
      const form = { token: granted.tokens.access_token, ...secretOf(app) };
      const { body } = await postForm(`${baseUrl(i)}/oauth/introspect`, form);
      expect(given.answers === undefined ? body : body.code).toEqual(given.answers ?? { active: false });
      const refreshed = await postForm(`${baseUrl(i)}/oauth/token`, refreshForm(app, granted.tokens.refresh_token));
      expect(refreshed.body.code).toBe(given.answers ?? 'INVALID_GRANT');
    }

    await receiver.waitFor(1 + given.types.length);
    const events = receiver.received
      .map(({ body, headers }) => verify(body, headers, { secrets: created.body.secret }))
      .filter(isAppEvent)
      .sort((a: AppEvent, b: AppEvent) => (a.created + a.id < b.created + b.id ? -1 : 1));
    expect(events.map(({ type }) => type)).toEqual(['installation.authorized', ...given.types]);
    const last = events.at(-1);
    expect(last).toMatchObject({
      app_id: app.appId,
      ...(given.reason === undefined
        ? { data: { object: 'app', id: app.appId } }
        : { tenant_id: tenantId, data: { id: granted.grantId, state: 'revoked', revoked_reason: given.reason } }),
    });
    await receiver.close();
  },
);
