import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_SCOPES, LIMITS, SCOPES } from '@plat/contract';
import {
  ADMIN_PAGES,
  createTestServer,
  DEVELOPER_PAGES,
  execute,
  select,
  type TestConsent,
  type TestSession,
} from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { freePort } from '../support/free-port.ts';
import { postForm } from '../support/oauth.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { withoutLastUse } from '../support/tenant-rows.ts';
import { type Visit, visitor } from '../support/visitor.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

/** A console that a signed-in user has open. */
function consoleOf({ cookie, csrfToken }: TestSession) {
  const browser = visitor(story.server.baseUrl, cookie);
  return {
    get: browser.get,
    post: (path: string, fields: Readonly<Record<string, string>> = {}) =>
      browser.post(path, { _csrf: csrfToken, ...fields }),
  };
}

/** A developer with an app that has access to the sandbox, and the owner of that sandbox. */
async function newWorld() {
  const { server } = story;
  const developer = await signedInDeveloper(server);
  const app = await server.createApp({ developerId: developer.id, scopes: ['me:read', 'clients:read'] });
  const { tenantId } = developer;
  const consent = await server.grantTokens({ app, tenantId });
  const [owner] = await select<{ id: string }>(
    server.db,
    "SELECT id FROM users WHERE tenant_id = :tenantId AND role = 'owner'",
    { tenantId },
  );
  const admin = await server.signInAdmin(owner?.id ?? '');
  return { developer, app, consent, admin, tenantId };
}

/** Replaces the parameters of routes by ids. A parameter of a kind without an object here gets an unknown id. */
function pathsOf(method: 'GET' | 'POST', ids: { appId: string; grantId: string }) {
  const idIn = (path: string) =>
    path
      .replace(/\/apps\/:\w+/, `/apps/${ids.appId}`)
      .replace(/\/consents\/:\w+/, `/consents/${ids.grantId}`)
      .replaceAll(/:\w+/g, UNKNOWN);
  const of = (routes: typeof DEVELOPER_PAGES | typeof ADMIN_PAGES) =>
    routes.filter((route) => route.method === method && route.answers === undefined).map(({ path }) => idIn(path));
  return { developer: of(DEVELOPER_PAGES), admin: of(ADMIN_PAGES) };
}

const UNKNOWN = 'unknown';

const idsOf = ({ app, consent }: { app: { appId: string }; consent: TestConsent }) => ({
  appId: app.appId,
  grantId: consent.grantId,
});

/** The rows that forms of the console could change. */
async function state(): Promise<string> {
  const tables = ['api_keys', 'oauth_apps', 'oauth_grants', 'audit_events', 'clients', 'tenants'];
  const rows = await Promise.all(tables.map((table) => select<object>(story.server.db, `SELECT * FROM ${table}`)));
  return JSON.stringify(rows.map((ofTable) => ofTable.map(withoutLastUse)));
}

const seenIn = ({ text }: Visit): string => /name="seen" value="([^"]*)"/.exec(text)?.[1] ?? 'none';
const secretIn = (visit: Visit | undefined): string =>
  /<textarea class="input" id="secret"[^>]*>\s*(\S+)<\/textarea>/.exec(visit?.text ?? '')?.[1] ?? 'none';
const ticked = (...scopes: readonly string[]) => Object.fromEntries(scopes.map((scope) => [`scope.${scope}`, 'on']));
const me = async (apiKey: string) => (await apiOf(story.server.baseUrl, apiKey)('/v1/me')).status;

describe('every page', () => {
  test('is not cached, not framed, has no inline script, fits into 50 KB, and posts its forms to this origin only', async () => {
    const world = await newWorld();
    // The previous key and secret stay valid, so that their pages of revocation are shown.
    const { api } = await login(story.server, world.developer);
    await api('/developer/v1/keys', { body: { expires_in: 3600 } });
    await api(`/developer/v1/apps/${world.app.appId}/rotate_secret`, { body: { expires_in: 3600 } });
    const paths = pathsOf('GET', idsOf(world));
    for (const [session, list] of [
      [world.developer.session, paths.developer],
      [world.admin, paths.admin],
    ] as const) {
      for (const path of list) {
        const { status, headers, text } = await consoleOf(session).get(path);
        if (!path.includes(UNKNOWN)) expect(status, path).toBe(200);
        if (headers.has('content-disposition')) {
          expect(headers.get('content-disposition'), path).toMatch(/^attachment; /);
          expect(headers.get('cache-control'), path).toBe('no-store');
          expect(headers.get('x-content-type-options'), path).toBe('nosniff');
          continue;
        }
        expect(headers.get('content-security-policy'), path).toBe(
          "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
        );
        expect(headers.get('cache-control'), path).toBe('no-store');
        expect(headers.get('x-content-type-options'), path).toBe('nosniff');
        expect(headers.get('referrer-policy'), path).toBe('same-origin');
        expect(text.replace(/<script src="\/assets\/script-[\w-]+\.js" defer><\/script>/, ''), path).not.toMatch(
          /<script|<style| style=| on\w+=|javascript:/i,
        );
        expect(Buffer.byteLength(text), path).toBeLessThan(50_000);
        expect(text.match(/<h1>/g), path).toHaveLength(1);
        expect(text, path).toMatch(/^<!doctype html>\n<html lang="en">/);
      }
    }
  });

  test('redirects visitors to sign in and back; programs get a 401', async () => {
    const world = await newWorld();
    const before = await state();
    for (const method of ['GET', 'POST'] as const) {
      const paths = pathsOf(method, idsOf(world));
      for (const [kind, list, signIn, home] of [
        ['developer', paths.developer, '/console/sign-in', '/console'],
        ['admin', paths.admin, '/sign-in', '/'],
      ] as const) {
        // A session of the other kind does not count.
        const other = kind === 'admin' ? world.developer.session : world.admin;
        for (const browser of [visitor(story.server.baseUrl), visitor(story.server.baseUrl, other.cookie)]) {
          for (const path of list) {
            const { status, location } =
              method === 'GET' ? await browser.get(path) : await browser.post(path, { _csrf: other.csrfToken });
            const returnTo = new URLSearchParams({ return_to: method === 'GET' ? path : home });
            expect([status, location], path).toEqual([303, `${signIn}?${returnTo}`]);
          }
        }
        for (const path of list) {
          const program = apiOf(story.server.baseUrl);
          expectRefusal(await program(path, { method, headers: { accept: 'application/json' } }), 'UNAUTHORIZED');
        }
      }
    }
    expect(await state()).toBe(before);
  });

  test('shows what was entered in a form whose session has ended or changed, unless another site sent it', async () => {
    const { developer } = await newWorld();
    const path = '/console/roles/new';
    const typed = { title: 'Cashier <b>', description: 'Line 1\nLine 2', 'capability.orders:read': 'on', slug: '' };
    const ended = await visitor(story.server.baseUrl).post(path, { _csrf: 'of-the-ended-session', ...typed });
    const changed = await consoleOf(developer.session).post(path, { ...typed, _csrf: 'of-the-ended-session' });
    expect([ended.status, changed.status]).toEqual([401, 403]);
    expect(ended.text).toContain('Your session has ended, so nothing was saved');
    for (const { text } of [ended, changed]) {
      expect([...text.matchAll(/<label for="entered[^>]*>([^<]*)<[\s\S]*?<textarea[^>]*>\n([^<]*)</g)]).toMatchObject([
        { 1: 'Title', 2: 'Cashier &lt;b&gt;' },
        { 1: 'Description', 2: 'Line 1\nLine 2' },
        { 1: 'Selected', 2: 'capability.orders:read' },
      ]);
      expect(text).not.toContain('of-the-ended-session');
    }
    // A button has nothing to lose: the sign-in leads back to its page.
    const { baseUrl } = story.server;
    const button = await visitor(baseUrl).post(
      '/console/key/revoke',
      {},
      {
        'sec-fetch-site': 'same-origin',
        referer: `${baseUrl}/console/key/revoke?from=x`,
      },
    );
    const returnTo = new URLSearchParams({ return_to: '/console/key/revoke?from=x' });
    expect([button.status, button.location]).toEqual([303, `/console/sign-in?${returnTo}`]);
    const foreign = await visitor(baseUrl).post(path, typed, { 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.location]).toEqual([303, '/console/sign-in?return_to=%2Fconsole']);
  });

  test('rejects a form that another page sent', async () => {
    const world = await newWorld();
    const another = await signedInDeveloper(story.server);
    const paths = pathsOf('POST', idsOf(world));
    const before = await state();
    for (const [session, list] of [
      [world.developer.session, paths.developer],
      [world.admin, paths.admin],
    ] as const) {
      expect(list.length).toBeGreaterThan(0);
      const browser = visitor(story.server.baseUrl, session.cookie);
      const good = { _csrf: session.csrfToken, ...ticked('me:read') };
      for (const path of list) {
        const refused = [
          await browser.post(path, { ...good, _csrf: '' }),
          await browser.post(path, { ...good, _csrf: another.session.csrfToken }),
          await browser.post(path, good, { 'sec-fetch-site': 'cross-site', origin: story.server.baseUrl }),
          await browser.post(path, good, { 'sec-fetch-site': 'same-site', origin: story.server.baseUrl }),
          await browser.post(path, good, { 'sec-fetch-site': 'none' }),
          await browser.post(path, good, { origin: 'https://evil.example' }),
          await browser.post(path, good, {}),
        ];
        expect(
          refused.map(({ status }) => status),
          path,
        ).toEqual(refused.map(() => 403));
        for (const { text } of refused) expect(text).toContain('<h1>Access denied</h1>');
      }
    }
    expect(await state()).toBe(before);
  });

  test('responds 404 for objects of another account', async () => {
    const world = await newWorld();
    const stranger = await signedInDeveloper(story.server);
    const tenant = await story.server.createTenant();
    const owner = await story.server.signInAdmin(tenant.ownerId);
    const before = await state();
    for (const method of ['GET', 'POST'] as const) {
      const paths = pathsOf(method, idsOf(world));
      for (const [session, list] of [
        [stranger.session, paths.developer],
        [owner, paths.admin],
      ] as const) {
        for (const path of list.filter((path) => /(?:app|gra)_/.test(path))) {
          const other = consoleOf(session);
          const visit = method === 'GET' ? await other.get(path) : await other.post(path, { expires_in: '0' });
          expect(visit.status, path).toBe(404);
          expect(visit.text).toContain('<h1>Page not found</h1>');
          expect(visit.text).not.toContain(world.app.name);
        }
      }
    }
    expect(await state()).toBe(before);
  });

  test('that does not exist is an HTML 404 for people, and JSON for programs; the API answers everyone in JSON', async () => {
    const { developer, admin } = await newWorld();
    const signedIn = await consoleOf(developer.session).get('/console/nowhere');
    expect(signedIn.status).toBe(404);
    expect(signedIn.text).toContain('Sign out');
    expect((await consoleOf(admin).get('/nowhere')).text).toContain('Apps with access');
    const stranger = visitor(story.server.baseUrl);
    for (const path of ['/nowhere', '/%zz', '/console/nowhere', '/console/apps/new/er']) {
      const page = await stranger.get(path);
      expect([page.status, page.headers.get('set-cookie')]).toEqual([404, null]);
      expect(page.text).toContain('<h1>Page not found</h1>');
      for (const accept of ['application/json', '*/*']) {
        expectRefusal(await apiOf(story.server.baseUrl)(path, { headers: { accept } }), 'NOT_FOUND');
      }
    }
    expectRefusal(await apiOf(story.server.baseUrl)('/console/sign-in', { method: 'POST' }), 'FORBIDDEN');
    expect((await stranger.get('/v1/clients')).headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('that fails shows an id to report, and no cause', async () => {
    const tenant = await story.server.createTenant();
    const session = await story.server.signInAdmin(tenant.ownerId);
    await execute(story.server.db, 'DELETE FROM roles WHERE tenant_id = :tenantId', { tenantId: tenant.tenantId });
    const { status, headers, text } = await consoleOf(session).get('/');
    expect(status).toBe(500);
    expect(text).toContain(headers.get('x-request-id'));
    expect(text.slice(text.indexOf('<h1>'))).not.toMatch(/role|select|\.ts/i);
  });

  test('has links that work for browsers under a base URL with a path', async () => {
    const port = await freePort();
    const env = { PLAT_BASE_URL: 'https://plat.example/prefix', PORT: String(port), PLAT_DISPATCH: 'false' };
    const server = await createTestServer({ env });
    try {
      const developer = await signedInDeveloper(server);
      const app = await server.createApp({ developerId: developer.id });
      const { grantId } = await server.grant({ app, tenantId: developer.tenantId });
      const browser = visitor(`http://127.0.0.1:${port}`, developer.session.cookie);
      for (const path of pathsOf('GET', { appId: app.appId, grantId }).developer) {
        const { text } = await browser.get(path);
        const links = text.match(/ (?:href|action)="[^"]*"/g) ?? [];
        const away = links.filter((link) => !/"(?:#|\/prefix\/|https:\/\/plat\.example\/prefix\/)/.test(link));
        expect(away, path).toEqual([]);
      }
      const done = await browser.post('/console/reset', {}, { origin: 'https://plat.example' });
      expect([done.status, done.location]).toEqual([303, '/prefix/console?done=reset']);
    } finally {
      await server.close();
    }
  });
});

describe('the API key', () => {
  test('that replaces the one in the sandbox file of the server is saved there, so that it survives a restart', async () => {
    const folder = tempFolder('sandbox-file').path;
    const file = join(folder, 'sandbox.json');
    const server = await createTestServer({ env: { PLAT_DATA_DIR: folder } });
    try {
      const [own, other] = [await signedInDeveloper(server), await signedInDeveloper(server)];
      const content = { base_url: server.baseUrl, tenant_id: own.tenantId, api_key: own.apiKey };
      writeFileSync(file, JSON.stringify(content));
      const mint = async ({ session: { cookie, csrfToken } }: SignedInDeveloper) => {
        const browser = visitor(server.baseUrl, cookie);
        const seen = seenIn(await browser.get('/console/key'));
        return browser.post('/console/key', { _csrf: csrfToken, seen, ...ticked('me:read') });
      };
      expect((await mint(other)).text).not.toContain(file);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(content);
      const minted = await mint(own);
      expect(minted.text).toContain(file);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...content, api_key: secretIn(minted) });
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      await server.close();
    }
  });

  test('is minted with the ticked scopes, replaces the previous one at once, and is shown once', async () => {
    const developer = await signedInDeveloper(story.server);
    const console = consoleOf(developer.session);
    const page = await console.get('/console/key');
    const fields = { seen: seenIn(page), ...ticked('me:read', 'clients:read') };
    const minted = await console.post('/console/key', fields);
    expect([minted.status, minted.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const key = secretIn(minted);
    expect(key).toMatch(/^plat_test_/);
    expect([await me(developer.apiKey), await me(key)]).toEqual([401, 200]);
    const { body } = await apiOf(story.server.baseUrl, key)('/v1/me');
    expect(body.scopes).toEqual(['me:read', 'clients:read']);

    // Reloading that page sends the form again.
    const again = await console.post('/console/key', fields);
    expect(again.status).toBe(409);
    expect(again.text).toContain('<h1>Already done</h1>');
    expect(again.text).toContain('href="/console">Go back</a>');
    expect(await me(key)).toBe(200);
    for (const path of pathsOf('GET', { appId: 'app', grantId: 'gra' }).developer) {
      expect((await console.get(path)).text, path).not.toContain(key);
    }
    const after = await console.get('/console/key');
    expect(after.text).toContain(`plat_test_...${key.slice(-4)}`);
    const { body: trail } = await apiOf(
      story.server.baseUrl,
      await story.server.mintKey(developer.tenantId),
    )('/v1/audit/events?action=api_key.minted');
    expect(trail.data[0].actor).toEqual({ type: 'developer', id: developer.id });
  });

  test('may stay valid for a chosen time after its replacement, and is shown until then', async () => {
    const developer = await signedInDeveloper(story.server);
    const console = consoleOf(developer.session);
    const page = await console.get('/console/key');
    expect(page.text).toContain(`When does the current key plat_test_...${developer.apiKey.slice(-4)} expire?`);
    const fields = { seen: seenIn(page), ...ticked('me:read') };
    expect((await console.post('/console/key', { ...fields, expires_in: '5' })).status).toBe(400);
    const minted = await console.post('/console/key', { ...fields, expires_in: '3600' });
    expect([await me(developer.apiKey), await me(secretIn(minted))]).toEqual([200, 200]);
    const after = (await console.get('/console/key')).text;
    expect(after).toContain(`<code>plat_test_...${developer.apiKey.slice(-4)}</code>, valid until`);
    expect(after).toContain('The key before it will stop working at once.');
  });

  test('needs a scope; the boxes are ticked like the scopes of the current key, or by a link', async () => {
    const developer = await signedInDeveloper(story.server);
    const console = consoleOf(developer.session);
    const boxes = ({ text }: Visit) => (text.match(/type="checkbox"[^>]* checked/g) ?? []).length;
    await story.server.mintKey(developer.tenantId, ['me:read']);
    expect(boxes(await console.get('/console/key'))).toBe(1);
    expect(boxes(await console.get('/console/key?tick=all'))).toBe(ALL_SCOPES.length);
    expect(boxes(await console.get('/console/key?tick=none'))).toBe(0);
    expect(boxes(await console.get('/console/key?tick=constructor'))).toBe(1);
    const before = await state();
    const { status, text } = await console.post('/console/key', { seen: seenIn(await console.get('/console/key')) });
    expect(status).toBe(400);
    expect(text).toContain('role="alert"');
    expect(text).toContain('<a href="#scopes">Select at least one scope');
    expect(await state()).toBe(before);
  });

  test('is revoked on a second page; the key that replaced it is not', async () => {
    const developer = await signedInDeveloper(story.server);
    const console = consoleOf(developer.session);
    const keyId = async () =>
      /name="key_id" value="([^"]+)"/.exec((await console.get('/console/key/revoke')).text)?.[1] ?? '';
    const first = await keyId();
    const second = await story.server.mintKey(developer.tenantId);
    expect((await console.post('/console/key/revoke', { key_id: first })).status).toBe(404);
    expect(await me(second)).toBe(200);
    const done = await console.post('/console/key/revoke', { key_id: await keyId() });
    expect([done.status, done.location]).toEqual([303, '/console/key?done=revoked']);
    expect((await console.get(done.location)).text).toContain('href="/console/audit?action=api_key.revoked"');
    expect(await me(second)).toBe(401);
    expect((await console.get('/console/key/revoke')).status).toBe(404);
    expect((await console.get('/console')).text).toContain('Create an API key');
    // No key is left, and the same form creates the next one.
    const minted = await console.post('/console/key', { seen: '', ...ticked('me:read') });
    expect(await me(secretIn(minted))).toBe(200);
  });
});

const TYPED = {
  name: 'Ledger <Sync> & "Co"',
  website: 'https://ledger.example',
  redirect_uris: 'https://ledger.example/callback\r\n\r\n  http://localhost:4020/callback \r\n',
  ...ticked('me:read', 'clients:read'),
};

/** Registers an app with the form. */
async function register({ session }: SignedInDeveloper, fields: Readonly<Record<string, string>> = TYPED) {
  const console = consoleOf(session);
  const seen = seenIn(await console.get('/console/apps/new'));
  const visit = await console.post('/console/apps/new', { seen, ...fields });
  const id = /PLAT_CLIENT_ID=(app_\w+)/.exec(visit.text)?.[1] ?? '';
  return { visit, seen, id, secret: secretIn(visit), console };
}

/** Returns true if the endpoints of apps accept the secret. */
async function isTaken(clientId: string, secret: string): Promise<boolean> {
  const form = { token: 'x', client_id: clientId, client_secret: secret };
  return (await postForm(`${story.server.baseUrl}/oauth/introspect`, form)).status === 200;
}

describe('an OAuth app', () => {
  test('is registered, with a secret that is shown once', async () => {
    const developer = await signedInDeveloper(story.server);
    const { visit, seen, id, secret, console } = await register(developer, {
      ...TYPED,
      website: ' https://ledger.example ',
    });
    expect(visit.status).toBe(201);
    expect(visit.text).toContain('Ledger &lt;Sync&gt; &amp; &quot;Co&quot; is registered');
    expect(await isTaken(id, secret)).toBe(true);
    const page = await console.get(`/console/apps/${id}`);
    for (const words of [id, 'https://ledger.example/callback', 'http://localhost:4020/callback', 'Not verified']) {
      expect(page.text).toContain(words);
    }
    expect(page.text).toContain(SCOPES['clients:read']);

    const again = await console.post('/console/apps/new', { seen, ...TYPED });
    expect(again.status).toBe(409);
    const list = await console.get('/console/apps');
    expect(list.text.match(/<th scope="row"/g)).toHaveLength(1);
    for (const path of pathsOf('GET', { appId: id, grantId: 'gra' }).developer) {
      expect((await console.get(path)).text, path).not.toContain(secret);
    }
  });

  test('that is refused is shown again as typed, with an error beside each wrong field', async () => {
    const developer = await signedInDeveloper(story.server);
    const before = await state();
    const { visit } = await register(developer, {
      name: ' ',
      website: 'javascript:alert(1)',
      redirect_uris: 'https://ok.example/cb\nhttp://evil.example\nhttps://x.example/#f',
    });
    expect(visit.status).toBe(400);
    const problems = [...visit.text.matchAll(/<p class="error" id="([a-z_]+)-problem">([^<]+)</g)];
    expect(problems.map(([, field, words]) => [field, words])).toEqual([
      ['name', 'Give the app a name.'],
      [
        'redirect_uris',
        expect.stringMatching(/^Redirect URI 2 must be https.*Redirect URI 3 must not have a fragment/),
      ],
      ['scopes', 'Select at least one scope.'],
    ]);
    expect([...visit.text.matchAll(/<li><a href="#([a-z_]+)">/g)].map(([, field]) => field)).toEqual(
      problems.map(([, field]) => field),
    );
    for (const [, field] of problems) expect(visit.text).toContain(`aria-describedby="${field}-hint ${field}-problem"`);
    expect(visit.text).toContain('value="javascript:alert(1)"');
    expect(visit.text).toContain('http://evil.example\n');
    const website = await register(developer, { ...TYPED, website: 'javascript:alert(1)' });
    expect(website.visit.text).toContain('id="website-problem"');
    expect(website.visit.text).toContain('value="Ledger &lt;Sync&gt; &amp; &quot;Co&quot;"');
    expect(website.visit.text.match(/type="checkbox"[^>]* checked/g)).toHaveLength(2);
    expect(await state()).toBe(before);
  });

  test('with a name that cannot be stored is refused', async () => {
    const developer = await signedInDeveloper(story.server);
    const { visit } = await register(developer, { ...TYPED, name: 'Ledger\0' });
    expect([visit.status, visit.text.includes('name must not contain NUL')]).toEqual([400, true]);
  });

  test('beyond the limit is refused with an explanation', async () => {
    const developer = await signedInDeveloper(story.server);
    for (let i = 0; i < LIMITS.quotas.apps.sandbox; i++) await story.server.createApp({ developerId: developer.id });
    const { visit, console } = await register(developer);
    expect(visit.status).toBe(422);
    expect(visit.text).toMatch(/role="alert"[\s\S]*quota of 50 apps/);
    const list = await console.get('/console/apps');
    expect(list.text.match(/<th scope="row"/g)).toHaveLength(LIMITS.quotas.apps.sandbox);
  });

  test('is edited; name and website of a verified app cannot be changed', async () => {
    const developer = await signedInDeveloper(story.server);
    const { id, console } = await register(developer, { ...TYPED, redirect_uris: 'https://ledger.example/callback' });
    const path = `/console/apps/${id}/edit`;
    const opened = seenIn(await console.get(path));
    const changed = {
      ...TYPED,
      seen: opened,
      name: 'Ledger',
      website: '',
      redirect_uris: 'https://b.example/cb',
      ...ticked('users:read'),
    };
    const done = await console.post(path, changed);
    expect([done.status, done.location]).toEqual([303, `/console/apps/${id}?done=saved`]);
    const page = await console.get(done.location);
    for (const words of ['Saved.', '<h1>Ledger</h1>', 'https://b.example/cb', SCOPES['users:read']]) {
      expect(page.text).toContain(words);
    }
    const stale = await console.post(path, { ...changed, name: 'Of another tab' });
    expect([stale.status, stale.text.includes('has changed since you opened the form')]).toEqual([409, true]);
    await story.server.reviewApp(id, 'verified');
    const seen = seenIn(await console.get(path));
    const refused = await console.post(path, { ...changed, seen, name: 'Another' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="Another"');
    expect((await console.get(path)).text).toMatch(/id="name"[^>]* readonly/);
    expect((await console.get(`/console/apps/${id}`)).text).toContain('Verified');
    expect((await console.post(path, { ...changed, seen, redirect_uris: 'http://localhost/cb' })).text).toContain(
      'Redirect URI 1 must be https: the app is verified.',
    );
  });

  test('gets a new secret; the old one works for the chosen overlap', async () => {
    const developer = await signedInDeveloper(story.server);
    const { id, secret, console } = await register(developer);
    const path = `/console/apps/${id}/secret`;
    const form = async (expiresIn: string) => ({ seen: seenIn(await console.get(path)), expires_in: expiresIn });
    const fields = await form('3600');
    const rotated = await console.post(path, fields);
    expect([rotated.status, rotated.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const second = secretIn(rotated);
    expect([await isTaken(id, secret), await isTaken(id, second)]).toEqual([true, true]);
    expect((await console.post(path, fields)).status).toBe(409);
    expect((await console.get(path)).text).toContain('The previous secret, from an earlier rotation, expires at once');
    expect((await console.get(`/console/apps/${id}`)).text).toMatch(/is valid until <time/);

    expect((await console.post(path, await form('9999999'))).status).toBe(400);
    expect([await isTaken(id, secret), await isTaken(id, second)]).toEqual([true, true]);
    const third = secretIn(await console.post(path, await form('0')));
    expect([await isTaken(id, secret), await isTaken(id, second), await isTaken(id, third)]).toEqual([
      false,
      false,
      true,
    ]);
    for (const page of pathsOf('GET', { appId: id, grantId: 'gra' }).developer) {
      const { text } = await console.get(page);
      expect(text.includes(second) || text.includes(third), page).toBe(false);
    }
  });

  test('is submitted for review, and shows the decision', async () => {
    const developer = await signedInDeveloper(story.server);
    const { id, console } = await register(developer, { ...TYPED, redirect_uris: 'https://ledger.example/callback' });
    const own = `/console/apps/${id}`;
    const done = await console.post(`${own}/verification`);
    expect(done.location).toBe(`${own}?done=asked`);
    expect((await console.get(own)).text).toContain('In review');
    await story.server.reviewApp(id, 'rejected');
    const rejected = await console.get(own);
    for (const words of ['Rejected', 'Request another review']) expect(rejected.text).toContain(words);
    await console.post(`${own}/verification`);
    await story.server.reviewApp(id, 'verified');
    expect((await console.get(own)).text).toContain('any tenant can consent');
  });
});

test('a form that is sent many times at once is processed once', async () => {
  const developer = await signedInDeveloper(story.server);
  const { id, console } = await register(developer);
  const once = async (path: string, page: string, fields: Readonly<Record<string, string>>) => {
    const seen = seenIn(await console.get(page));
    const visits = await Promise.all(Array.from({ length: 5 }, () => console.post(path, { seen, ...fields })));
    expect(visits.map(({ status }) => status).sort(), path).toEqual([201, 409, 409, 409, 409]);
    return secretIn(visits.find(({ status }) => status === 201) ?? visits[0]);
  };
  const key = await once('/console/key', '/console/key', ticked('me:read'));
  expect(await me(key)).toBe(200);
  const own = `/console/apps/${id}/secret`;
  expect(await isTaken(id, await once(own, own, { expires_in: '0' }))).toBe(true);
  await once('/console/apps/new', '/console/apps/new', TYPED);
  expect((await console.get('/console/apps')).text.match(/<th scope="row"/g)).toHaveLength(2);
});

describe('consents', () => {
  test('are listed with app, scopes in sentences, user and time, to the developer and to the owner, who revoke them', async () => {
    for (const kind of ['developer', 'admin'] as const) {
      const world = await newWorld();
      const { app, consent, developer } = world;
      const session = kind === 'developer' ? developer.session : world.admin;
      const path = kind === 'developer' ? '/console/consents' : '/consents';
      const console = consoleOf(session);
      const list = await console.get(path);
      for (const words of [app.name, developer.email, 'Not verified', '<time class="ago" datetime="20']) {
        expect(list.text).toContain(words);
      }
      const own = await console.get(`${path}/${consent.grantId}`);
      for (const words of [SCOPES['clients:read'], developer.email, `${path}/${consent.grantId}/revoke`]) {
        expect(own.text).toContain(words);
      }
      const confirm = await console.get(`${path}/${consent.grantId}/revoke`);
      expect(confirm.text).toContain(`Revoke the access of ${app.name}?`);
      expect(await me(consent.tokens.access_token)).toBe(200);
      await expect.poll(async () => (await console.get(`${path}/${consent.grantId}`)).text).toContain('GET /v1/me</a>');
      const done = await console.post(`${path}/${consent.grantId}/revoke`);
      expect([done.status, done.location]).toEqual([303, `${path}?done=revoked`]);
      expect(await me(consent.tokens.access_token)).toBe(401);
      expect((await console.get(done.location)).text).not.toContain(app.name);
      expect((await console.post(`${path}/${consent.grantId}/revoke`)).status).toBe(404);
      const { body } = await apiOf(story.server.baseUrl, developer.apiKey)('/v1/audit/events?action=oauth.app_revoked');
      expect(body.data[0].actor.type).toBe(kind === 'developer' ? 'developer' : 'user');
      const events = await apiOf(story.server.baseUrl, developer.apiKey)('/v1/webhooks/events?type=oauth.app_revoked');
      expect(events.body.data).toHaveLength(1);
    }
  });

  test('fill several pages, with links in both directions', async () => {
    const { server } = story;
    const { id, session, tenantId } = await signedInDeveloper(server);
    const app = await server.createApp({ developerId: id, scopes: ['me:read'] });
    for (let i = 0; i < 26; i++) await server.grant({ app, tenantId });
    const console = consoleOf(session);
    const grants = ({ text }: Visit) => [...text.matchAll(/consents\/(gra_\w+)"/g)].map(([, grant]) => grant);
    const link = ({ text }: Visit, words: string) => new RegExp(`href="([^"]+)">${words}</a>`).exec(text)?.[1];
    const first = await console.get('/console/consents');
    expect(grants(first)).toHaveLength(25);
    expect(link(first, 'Newer')).toBeUndefined();
    const second = await console.get(link(first, 'Older') ?? '');
    expect(grants(second)).toHaveLength(1);
    expect(link(second, 'Older')).toBeUndefined();
    const back = await console.get(link(second, 'Newer') ?? '');
    expect(grants(back)).toEqual(grants(first));
    expect(link(back, 'Newer')).toBeUndefined();
    expect((await console.get('/console/consents?starting_after=nonsense')).status).toBe(400);
  });

  test('are shown to owners only', async () => {
    const { server } = story;
    const { tenantId, apiKey, ownerId } = await server.createTenant();
    const app = await server.createApp();
    const { grantId } = await server.grant({ app, tenantId });
    const { body: user } = await apiOf(server.baseUrl, apiKey)('/v1/users', {
      body: { email: 'member@example.com', role: 'member' },
    });
    await execute(server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: user.id });
    const console = consoleOf(await server.signInAdmin(user.id));
    const home = await console.get('/');
    expect(home.text).toContain('Member');
    expect(home.text).not.toContain('/consents');
    for (const path of ['/consents', `/consents/${grantId}`, `/consents/${grantId}/revoke`]) {
      const page = await console.get(path);
      expect([page.status, page.text.includes(app.name)]).toEqual([403, false]);
    }
    expect((await console.post(`/consents/${grantId}/revoke`)).status).toBe(403);
    const owner = consoleOf(await server.signInAdmin(ownerId));
    expect((await owner.get('/consents')).text).toContain(app.name);
  });
});

describe('the sandbox', () => {
  test('shows its tenant, its base URL, the hint of its key, and a link to the reference', async () => {
    const { session, tenantId, apiKey } = await signedInDeveloper(story.server);
    const { text } = await consoleOf(session).get('/console');
    for (const words of [tenantId, story.server.baseUrl, `plat_test_...${apiKey.slice(-4)}`, 'href="/docs/"']) {
      expect(text).toContain(words);
    }
  });

  test('is reset on a second page: created objects go; id, key, apps and session stay', async () => {
    const { developer, app, consent } = await newWorld();
    const { session, apiKey, tenantId } = developer;
    const console = consoleOf(session);
    const api = apiOf(story.server.baseUrl, apiKey);
    const { body: client } = await api('/v1/clients', { body: { name: 'Mine' } });
    expect((await console.get('/console/reset')).status).toBe(200);
    expect((await api(`/v1/clients/${client.id}`)).status).toBe(200);
    const done = await console.post('/console/reset');
    expect([done.status, done.location]).toEqual([303, '/console?done=reset']);
    expect((await console.get(done.location)).text).toContain(tenantId);
    expectRefusal(await api(`/v1/clients/${client.id}`), 'CLIENT_NOT_FOUND');
    expect(await me(consent.tokens.access_token)).toBe(401);
    expect((await console.get('/console/consents')).text).toContain('No app has access to your sandbox');
    expect((await console.get('/console/apps')).text).toContain(app.name);
    const { body } = await api('/v1/audit/events?action=sandbox.reset');
    expect(body.data[0].actor).toEqual({ type: 'developer', id: developer.id });
  });

  test('that is suspended can be read, and not changed', async () => {
    const world = await newWorld();
    const { developer, tenantId } = world;
    await story.server.setTenantStatus(tenantId, 'suspended');
    const console = consoleOf(developer.session);
    expect((await console.get('/console')).text).toContain('has suspended this sandbox');
    const before = await state();
    const { grantId, appId } = idsOf(world);
    for (const path of [
      '/console/reset',
      `/console/consents/${grantId}/revoke`,
      `/console/apps/${appId}/verification`,
    ]) {
      expect((await console.post(path)).status, path).toBe(403);
    }
    const seen = seenIn(await console.get('/console/key'));
    expect((await console.post('/console/key', { seen, ...ticked('me:read') })).status).toBe(403);
    expect(await state()).toBe(before);
    await story.server.setTenantStatus(tenantId, 'active');
    expect((await console.post('/console/reset')).status).toBe(303);
  });

  test('is reset only so often: posts of an account are limited per minute', async () => {
    const { session } = await signedInDeveloper(story.server);
    const console = consoleOf(session);
    const statuses = new Set<number>();
    for (let i = 0; i < 60; i++) statuses.add((await console.post('/console/key')).status);
    expect([...statuses]).toEqual([400]);
    const refused = await console.post('/console/reset');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).toContain('<h1>Too many attempts</h1>');
    expect((await console.get('/console')).status).toBe(200);
  });

  test('shows no text that a link puts into its address', async () => {
    const { session } = await signedInDeveloper(story.server);
    const { text } = await consoleOf(session).get('/console?done=<script>alert(1)</script>&tick=x');
    expect(text).not.toContain('alert(1)');
    expect((await consoleOf(session).get('/console?done=toString')).text).not.toContain('native code');
  });
});
