import { execute, newPkce, type TestApp, type TestTenant } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { authorizeUrl, visit } from '../support/oauth.ts';
import { operate } from '../support/operator.ts';
import { spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/*
 * Characters that imitate another name or control a terminal: refused in requests, and shown as escapes in stored data
 * from before the check.
 */

// Old data breaks the rules of responses, too.
const story = useServer({ env: { PLAT_DISPATCH: 'false' }, checkResponses: false });
let tenant: TestTenant;
let developer: SignedInDeveloper;
let app: TestApp;

const UNSAFE = {
  'a bidirectional override': ['Acme\u202eknaB', 'U+202E'],
  'a bidirectional isolate': ['Acme\u2066x', 'U+2066'],
  'a zero-width space': ['Ac\u200bme', 'U+200B'],
  'a zero-width joiner between Latin letters': ['Ac\u200dme', 'U+200D'],
  'a terminal escape': ['Acme\u001b[2J', 'U+001B'],
  'a line break': ['Acme\nBank', 'U+000A'],
  'a tag character': ['Acme\u{e0041}', 'U+E0041'],
} as const;
const NAME = 'Evil\u202eknaB \u001b[2J\u200b\u2066x';
const SHOWN = 'Evil\\u202eknaB \\u001b[2J\\u200b\\u2066x';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ACTIVE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

beforeAll(async () => {
  tenant = await story.server.createTenant();
  developer = await signedInDeveloper(story.server);
  app = await story.server.createApp({ developerId: developer.id, scopes: ['me:read'] });
});

describe('a name is refused that has', () => {
  test.each(Object.entries(UNSAFE))('%s', async (_, [name, character]) => {
    const api = apiOf(story.server.baseUrl, tenant.apiKey);
    const { api: developerApi } = await login(story.server, developer);
    for (const answer of [
      await api('/v1/clients', { body: { name } }),
      await api('/v1/groups', { body: { name } }),
      await api('/v1/tenant', { method: 'PATCH', body: { name } }),
      await api('/v1/users', { body: { name, email: 'ada@example.com', role: 'viewer' } }),
      await developerApi('/developer/v1/apps', {
        body: { name, redirect_uris: ['https://a.example/'], scopes: ['me:read'] },
      }),
    ]) {
      expectRefusal(answer, 'INVALID_BODY', ['name']);
      expect(answer.body.errors[0].message).toContain(character);
    }
    const created = await operate(
      story.database.url,
      'tenants',
      'create',
      '--name',
      name,
      '--owner-email',
      'a@b.example',
    );
    expect([created.code, created.stderr]).toEqual([1, expect.stringContaining(character)]);
  });
});

test('names of any script are accepted, with emoji and joiners where they belong', async () => {
  const api = apiOf(story.server.baseUrl, tenant.apiKey);
  for (const name of ['שלום', 'شركة', 'می‌خواهم', 'ශ්‍රී ලංකා', '株式会社', 'Family 👨‍👩‍👧']) {
    expect((await api('/v1/clients', { body: { name } })).body).toMatchObject({ object: 'client', name });
  }
});

test('the website of an app and the name of a program are single-line texts too', async () => {
  const { api } = await login(story.server, developer);
  const app = { name: 'App', redirect_uris: ['https://a.example/'], scopes: ['me:read'] };
  const registered = await api('/developer/v1/apps', {
    body: { ...app, website: 'https://a.example/\nVerified: yes' },
  });
  expectRefusal(registered, 'INVALID_BODY', ['website']);
  const started = await fetch(`${story.server.baseUrl}/developer/v1/device/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'plat\nApproved' }),
  });
  const message = 'must not contain U+000A, a control character';
  expect(registered.body.errors[0].message).toBe(message);
  expect(await started.json()).toMatchObject({ code: 'INVALID_BODY', errors: [{ path: 'client_name', message }] });
});

test('a text of several lines may have line breaks, and no other control characters', async () => {
  const api = apiOf(story.server.baseUrl, tenant.apiKey);
  const role = (description: string) => api('/v1/roles', { body: { name: 'auditor', title: 'Auditor', description } });
  expectRefusal(await role('one\u202etwo'), 'INVALID_BODY', ['description']);
  expect((await role('one\n\ttwo')).status).toBe(201);
});

describe('a name from before the check is shown with escapes', () => {
  beforeAll(async () => {
    const { db } = story.server;
    await execute(db, 'UPDATE oauth_apps SET name = :name WHERE id = :id', { name: NAME, id: app.appId });
    for (const id of [tenant.tenantId, developer.tenantId]) {
      await execute(db, 'UPDATE tenants SET name = :name WHERE id = :id', { name: NAME, id });
    }
  });

  test('on the consent page, and the state comes back unchanged', async () => {
    const { cookie } = await story.server.signInAdmin(tenant.ownerId);
    const { status, text } = await visit(
      authorizeUrl(story.server, {
        response_type: 'code',
        client_id: app.appId,
        redirect_uri: app.redirectUri,
        scope: 'me:read',
        state: '\u202estate',
        code_challenge: newPkce().codeChallenge,
        code_challenge_method: 'S256',
      }),
      { cookie },
    );
    expect(status, text).toBe(200);
    expect(text).toContain(`<bdi>${SHOWN}</bdi>`);
    expect(text).toContain('name="state" value="&#x202e;state"');
    expect(text).not.toMatch(ACTIVE);
  });

  test('on the pages of the console', async () => {
    const { cookie } = developer.session;
    for (const path of ['/console', '/console/apps', `/console/apps/${app.appId}`, '/console/consents']) {
      const { status, text } = await visit(story.server.baseUrl + path, { cookie });
      expect(status).toBe(200);
      expect(text).not.toMatch(ACTIVE);
    }
    expect((await visit(`${story.server.baseUrl}/console/apps`, { cookie })).text).toContain(SHOWN);
  });

  test('by the commands of the operator, as text and as JSON, one row for each app', async () => {
    const env = { PLAT_DATA_DIR: tempFolder('operator').path, LOG_LEVEL: 'warn', DATABASE_URL: story.database.url };
    for (const args of [
      ['apps', 'list'],
      ['tenants', 'list'],
      ['tenants', 'suspend', tenant.tenantId],
      ['tenants', 'reactivate', tenant.tenantId],
    ]) {
      for (const format of [[], ['--json']]) {
        const command = spawnNode('packages/server/src/main.ts', { args: [...args, ...format], env });
        expect((await command.exited).code).toBe(0);
        expect(command.stdout()).toContain(SHOWN);
        expect(command.stdout()).not.toMatch(ACTIVE);
      }
    }
    const unknown = spawnNode('packages/server/src/main.ts', { args: ['tenants', 'suspend', NAME], env });
    expect((await unknown.exited).code).toBe(1);
    expect(unknown.stderr()).toContain(SHOWN);
    expect(unknown.stderr()).not.toMatch(ACTIVE);
  });

  test('in mails', async () => {
    // The mails of a sandbox do not contain its tenant's name.
    const production = await story.server.createTenant({ sandbox: false });
    await execute(story.server.db, 'UPDATE tenants SET name = :name WHERE id = :id', {
      name: NAME,
      id: production.tenantId,
    });
    const api = apiOf(story.server.baseUrl, production.apiKey);
    expect((await api('/v1/users', { body: { email: 'bob@example.com', role: 'viewer' } })).status).toBe(201);
    const mail = (await story.server.mails()).find(({ to }) => to === 'bob@example.com');
    expect(mail?.text).toContain('\n');
    expect(`${mail?.subject}${mail?.text}`).toContain('Evil');
    expect(`${mail?.subject}${mail?.text}`).not.toMatch(ACTIVE);
  });
});
