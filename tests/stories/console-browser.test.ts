import { createServer } from 'node:http';
import { ADMIN_PAGES, DEVELOPER_PAGES, newPkce, type TestServer, type TestSession } from '@plat/server/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { apiOf } from '../support/api.ts';
import { expectAccessible, screensOf, tabTo, unreachableByTab, useBrowser } from '../support/browser.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { hasChromium } from '../support/find-servers.ts';
import { authorizeUrl, codeForm, postForm } from '../support/oauth.ts';
import { signInMail } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';

/** Longer than usual: axe examines each page four times. */
vi.setConfig({ testTimeout: 120_000 });

/**
 * Pages do not depend on the database, so these tests run once. console.test.ts tests the server behind them on each
 * one.
 */
const isBrowserRun = hasChromium() && inject('database').kind === 'sqlite';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

/** The app at the other end of a redirect. */
let callback: { readonly url: string; close(): void };
beforeAll(async () => {
  const server = createServer((_req, res) => res.setHeader('content-type', 'text/html').end('<title>The app</title>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  callback = { url: `http://127.0.0.1:${port}/callback`, close: () => server.close() };
});
afterAll(() => callback.close());

/** Problems that the browser reports: content that the policy blocks, resources that do not load. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refused form is answered with 4xx, which browsers report as a failure.
    const isAnswer = /status of (?:400|409)/.test(message.text());
    if (message.type() !== 'log' && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A request for an icon that is in progress when the next page is opened.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()} ${reason}`);
  });
  return complaints;
}

async function signIn(page: Page, server: TestServer, { cookie }: TestSession): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: server.baseUrl }]);
}

/** The secret that the page shows once. */
const shownSecret = (page: Page) => page.inputValue('#secret');
const me = (apiKey: string) => apiOf(story.server.baseUrl, apiKey)('/v1/me');
const authorization = (clientId: string, codeChallenge: string) =>
  authorizeUrl(story.server, {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback.url,
    scope: 'me:read clients:read',
    state: 'a-state',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  });

describe.runIf(isBrowserRun)('with the keyboard alone, in Chromium', () => {
  const { newPage } = useBrowser();
  // The whole navigation fits: axe cannot judge the colours of what is scrolled away.
  const browser = { newPage: () => newPage({ viewport: { width: 1440, height: 900 } }) };

  /** Moves to the element with this text by Tab, and presses Enter. */
  const press = async (page: Page, words: string) => {
    await tabTo(page, words);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  };
  const tick = async (page: Page, words: string) => {
    await tabTo(page, words);
    await page.keyboard.press('Space');
  };
  const fill = async (page: Page, label: string, text: string) => {
    await tabTo(page, label);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };

  test('a developer signs in, mints a key, calls the API with it, and revokes it', async () => {
    const { server } = story;
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${server.baseUrl}/console/key`);
    await fill(page, 'Email address', 'lin@example.com');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in/code');
    await page.goto(server.baseUrl + (await signInMail(server, 'lin@example.com')).link);
    await press(page, 'Sign in');
    // The page that the developer requested first.
    expect(new URL(page.url()).pathname).toBe('/console/key');
    await expectAccessible(page);

    await press(page, 'none');
    await press(page, 'Create key');
    expect(await page.textContent('[role=alert]')).toContain('Select at least one scope');
    await page.waitForFunction("document.activeElement.role === 'alert'");
    await expectAccessible(page);
    await tick(page, 'clients:read See clients');
    await tick(page, 'me:read See which tenant and scopes the credential has');
    await press(page, 'Create key');
    await expectAccessible(page);
    await tabTo(page, 'API key');
    const key = await shownSecret(page);
    expect((await me(key)).body).toMatchObject({ scopes: ['me:read', 'clients:read'], credential_type: 'api_key' });

    await page.reload();
    expect(await page.textContent('h1')).toBe('Already done');
    await expectAccessible(page);
    expect((await me(key)).status).toBe(200);
    await press(page, 'Go back');
    expect(await page.textContent('h1')).toBe('API key');
    expect(await page.content()).not.toContain(key);
    await tabTo(page, 'It has 2 scopes');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await press(page, 'Revoke key');
    await expectAccessible(page);
    await press(page, 'Revoke key');
    expect(await page.textContent('[role=status]')).toContain('was revoked');
    await expectAccessible(page);
    expect((await me(key)).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  test('a developer registers an app, owner and app go through consent, the secret is rotated, the consent revoked', async () => {
    const { server } = story;
    const developer = await signedInDeveloper(server);
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await signIn(page, server, developer.session);
    await page.goto(`${server.baseUrl}/console`);
    await expectAccessible(page);
    await press(page, 'OAuth apps');
    await expectAccessible(page);
    await press(page, 'Register an app');
    await expectAccessible(page);
    await fill(page, 'Name', 'Ledger Sync');
    await fill(page, 'Website (optional)', 'https://ledger.example');
    await fill(page, 'Redirect URIs', 'http://ledger.example/callback');
    await press(page, 'Register app');
    await expectAccessible(page);
    // From the error summary to the field, which still has the typed value.
    await tabTo(page, 'Redirect URI 1 must be https, or http to localhost, 127.0.0.1 or [::1].');
    await page.keyboard.press('Enter');
    expect(await page.inputValue('#name')).toBe('Ledger Sync');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(callback.url);
    await tick(page, 'clients:read See clients');
    await tick(page, 'me:read See which tenant and scopes the credential has');
    await press(page, 'Register app');
    expect(await page.textContent('h1')).toBe('Ledger Sync is registered');
    await expectAccessible(page);
    const secret = await shownSecret(page);
    await press(page, 'Continue');
    await expectAccessible(page);
    const appId = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    // The owner of a tenant comes from the app and has to sign in first.
    const owner = await browser.newPage();
    const ownersComplaints = complaintsOf(owner);
    const first = newPkce();
    await owner.goto(authorization(appId, first.codeChallenge));
    expect(await owner.textContent('main')).toContain('Sign in to continue to Ledger Sync');
    await expectAccessible(owner);
    await fill(owner, 'Email address', developer.email);
    await owner.keyboard.press('Enter');
    await owner.waitForURL('**/sign-in/code');
    await owner.goto(server.baseUrl + (await signInMail(server, developer.email)).link);
    await press(owner, 'Sign in');
    expect(await owner.textContent('h1')).toBe('Give Ledger Sync access to Sandbox?');
    for (const words of ['Not verified', new URL(callback.url).host, 'Sandbox', developer.email, 'See clients']) {
      expect(await owner.textContent('main')).toContain(words);
    }
    await expectAccessible(owner);
    const weights = await owner.evaluate<
      string[]
    >(`[...document.querySelectorAll('main button[name=decision]')].map((button) => {
      const { color, backgroundColor, borderColor, fontWeight, fontSize } = getComputedStyle(button);
      const { width, height } = button.getBoundingClientRect();
      return JSON.stringify([color, backgroundColor, borderColor, fontWeight, fontSize, width, height]);
    })`);
    expect(weights).toHaveLength(2);
    expect(weights[0]).toBe(weights[1]);

    await press(owner, 'Deny');
    expect(Object.fromEntries(new URL(owner.url()).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a-state',
      iss: server.baseUrl,
    });
    await owner.goto(authorization(appId, first.codeChallenge));
    await press(owner, 'Allow');
    const returned = new URL(owner.url());
    expect(returned.origin + returned.pathname).toBe(callback.url);
    expect(returned.searchParams.get('state')).toBe('a-state');
    const app = { appId, clientSecret: secret, redirectUri: callback.url };
    const code = returned.searchParams.get('code') ?? '';
    const exchange = codeForm(
      { ...app, developerId: developer.id, name: 'Ledger Sync', scopes: [] },
      {
        code,
        codeVerifier: first.codeVerifier,
        redirectUri: callback.url,
        grantId: '',
      },
    );
    const { body: tokens } = await postForm(`${server.baseUrl}/oauth/token`, exchange);
    expect((await me(tokens.access_token)).body).toMatchObject({ tenant_id: developer.tenantId });

    await press(page, 'Rotate secret');
    await expectAccessible(page);
    await tabTo(page, 'In a day');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await press(page, 'Rotate secret');
    await expectAccessible(page);
    const rotated = await shownSecret(page);
    const isTaken = async (clientSecret: string) =>
      (
        await postForm(`${server.baseUrl}/oauth/introspect`, {
          token: 'x',
          client_id: appId,
          client_secret: clientSecret,
        })
      ).status === 200;
    expect([await isTaken(secret), await isTaken(rotated)]).toEqual([false, true]);
    await press(page, 'Continue');
    await press(page, 'Edit');
    await expectAccessible(page);
    await fill(page, 'Name', 'Ledger');
    await press(page, 'Save');
    expect(await page.textContent('[role=status]')).toContain('Saved');
    await press(page, 'Request review');
    expect(await page.textContent('main')).toContain('In review');
    await expectAccessible(page);
    await press(page, 'OAuth apps');
    await expectAccessible(page);

    await press(page, 'Consents');
    await expectAccessible(page);
    const row = await page.textContent('tbody tr');
    for (const words of ['Ledger', developer.email]) expect(row).toContain(words);
    await press(page, 'Ledger');
    expect(await page.textContent('main')).toContain('See clients');
    await expectAccessible(page);
    // The owner sees the same consent, and revokes it.
    await owner.goto(`${server.baseUrl}/`);
    await expectAccessible(owner);
    await press(owner, 'View apps with access');
    await expectAccessible(owner);
    await owner.keyboard.press('Tab');
    await press(owner, 'Ledger');
    await expectAccessible(owner);
    await press(owner, 'Revoke access');
    expect(await owner.textContent('h1')).toBe('Revoke the access of Ledger?');
    await expectAccessible(owner);
    await press(owner, 'Revoke access');
    expect(await owner.textContent('main')).toContain('No app has access to the tenant');
    await expectAccessible(owner);
    expect((await me(tokens.access_token)).status).toBe(401);
    for (const path of ['/console', '/console/apps', `/console/apps/${appId}`, '/console/consents']) {
      await page.goto(server.baseUrl + path);
      const content = await page.content();
      expect([secret, rotated, tokens.access_token].some((text) => content.includes(text))).toBe(false);
    }
    expect([...complaints, ...ownersComplaints]).toEqual([]);
  });

  test('a developer creates a client, corrects what was refused, and deletes it', async () => {
    const { server } = story;
    const developer = await signedInDeveloper(server);
    const api = apiOf(server.baseUrl, developer.apiKey);
    await api('/v1/clients', { body: { name: 'Harbour', slug: 'harbour' } });
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await signIn(page, server, developer.session);
    await page.goto(`${server.baseUrl}/console/clients/new`);
    // A second click while the response is on its way would create a second client. A step back allows another.
    const isSent = await page.evaluate<boolean[]>(`(() => {
      const sent = [];
      addEventListener('submit', (event) => { sent.push(!event.defaultPrevented); event.preventDefault(); });
      document.querySelector('#name').value = 'Twice';
      const submit = () => document.querySelector('main form').requestSubmit();
      submit(); submit(); dispatchEvent(new Event('pageshow')); submit();
      return sent;
    })()`);
    expect(isSent).toEqual([true, false, true]);
    await page.goto(`${server.baseUrl}/console`);
    await press(page, 'Clients');
    await press(page, 'Create client');
    await fill(page, 'Name', 'Nordlicht');
    await fill(page, 'Slug (optional)', 'harbour');
    await press(page, 'Create client');
    await page.waitForFunction("document.activeElement.role === 'alert'");
    await expectAccessible(page);
    await tabTo(page, 'The slug harbour is used by another client of the tenant.');
    await page.keyboard.press('Enter');
    expect(await page.inputValue('#name')).toBe('Nordlicht');
    await fill(page, 'Slug (optional)', 'nordlicht');
    await press(page, 'Create client');
    expect(await page.textContent('[role=status]')).toContain('Client created.');
    // A reload reports nothing again.
    await page.reload();
    expect(await page.textContent('main')).not.toContain('Client created.');
    await press(page, 'Edit');
    await fill(page, 'Name', 'Nordlicht GmbH');
    await press(page, 'Save changes');
    expect(await page.textContent('h1')).toContain('Nordlicht GmbH');
    await press(page, 'Audit');
    expect(await page.textContent('main')).toContain('Every change of this tenant');
    await page.goBack();
    await press(page, 'Delete client');
    await expectAccessible(page);
    await press(page, 'Delete client');
    expect(await page.textContent('[role=status]')).toContain('Client deleted.');
    expect(complaints).toEqual([]);
  });

  test('a developer cancels once, and then resets the sandbox', async () => {
    const { server } = story;
    const developer = await signedInDeveloper(server);
    const api = apiOf(server.baseUrl, developer.apiKey);
    const { body: client } = await api('/v1/clients', { body: { name: 'Mine' } });
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await signIn(page, server, developer.session);
    await page.goto(`${server.baseUrl}/console/sandbox`);
    await press(page, 'Reset sandbox');
    await expectAccessible(page);
    await press(page, 'Cancel');
    expect((await api(`/v1/clients/${client.id}`)).status).toBe(200);
    await press(page, 'Reset sandbox');
    await press(page, 'Reset sandbox');
    expect(await page.textContent('[role=status]')).toContain('Sandbox reset');
    await expectAccessible(page);
    expect((await api(`/v1/clients/${client.id}`)).status).toBe(404);
    expect(complaints).toEqual([]);
  });
});

describe.runIf(isBrowserRun)('in Chromium', () => {
  const browser = useBrowser();

  /** Every page that a signed-in user can open without posting a form. */
  async function everyPage(developer: SignedInDeveloper): Promise<string[]> {
    const { server } = story;
    const app = await server.createApp({ developerId: developer.id, redirectUris: [callback.url] });
    const { grantId } = await server.grant({ app, tenantId: developer.tenantId });
    const { api } = await login(server, developer);
    const hooks = `/developer/v1/apps/${app.appId}/webhooks`;
    const { body: hook } = await api(`${hooks}/endpoints`, {
      body: { url: 'https://app.example/hooks', events: ['*'] },
    });
    const { body: replay } = await api(`${hooks}/replays`, { body: { since: '2026-01-01T00:00:00Z' } });
    const { body: logins } = await api('/developer/v1/tokens');
    const { body: modules } = await apiOf(server.baseUrl, developer.apiKey)('/v1/modules/catalog');
    // The previous key and secret stay valid, so that their pages of revocation are shown.
    const overlap = { body: { expires_in: 3600 } };
    await api(`/developer/v1/apps/${app.appId}/rotate_secret`, overlap);
    await api('/developer/v1/keys', overlap);
    const own = `/console/apps/${app.appId}`;
    const { headers } = await apiOf(server.baseUrl, developer.apiKey)('/v1/clients/unknown');
    const requestId = headers.get('x-request-id') ?? '';
    const logged = async () => (await apiOf(server.baseUrl, developer.apiKey)(`/v1/requests/${requestId}`)).status;
    await expect.poll(logged).toBe(200);
    const question = authorization(app.appId, newPkce().codeChallenge).slice(server.baseUrl.length);
    return [
      ...['/console/key/revoke-previous', `${own}/revoke-previous`],
      ...['/console', '/console/key', '/console/key/revoke', '/console/apps', '/console/apps/new', '/console/reset'],
      ...[own, `${own}/edit`, `${own}/secret`, `${own}/disable`, `${own}/delete`, '/console/consents'],
      ...[`/console/consents/${grantId}`, `/console/consents/${grantId}/revoke`, `${own}/refusals`],
      ...[`${own}/installations`, `${own}/installations/${grantId}`, `${own}/webhooks`, `${own}/webhooks/new`],
      ...['', '/edit', '/secret', '/delete'].map((part) => `${own}/webhooks/${hook.id}${part}`),
      ...['', '/new', `/${replay.id}`, `/${replay.id}/cancel`].map((part) => `${own}/webhooks/replays${part}`),
      ...[`${own}/trace`, `${own}/trace?id=${hook.id}`, '/console/explorer', '/console/sandbox', '/console/cli'],
      ...['clients.create', 'clients.update&as=json', 'clients.list&run=1', 'clients.get&run=1&path.client_id=x'].map(
        (operation) => `/console/explorer?operation=${operation}`,
      ),
      ...[`/console/logins/${logins.data[0].id}/revoke`, '/modules', `/modules/${modules.data[0].slug}`],
      ...['/console/requests', '/console/requests?outcome=odd&method=DELETE', `/console/requests/${requestId}`],
      ...['/requests', '/tenants', '/trace?id=unknown', '/console/trace', `/console/trace?id=${requestId}`],
      ...['/events', '/webhooks', '/audit'],
      ...['/console/_components', '/console/key/check'],
      ...(await roomPages(developer)),
      ...(await dataPages(developer)),
      ...['/', '/consents', `/consents/${grantId}/revoke`, question, '/nowhere', '/console/apps/app_x'],
    ];
  }

  /** The rooms with an object selected. */
  async function roomPages(developer: SignedInDeveloper): Promise<string[]> {
    const api = apiOf(story.server.baseUrl, developer.apiKey);
    const { body: endpoint } = await api('/v1/webhooks/endpoints', {
      body: {
        url: `${new URL(callback.url).origin}/${'long'.repeat(60)}`,
        events: ['*'],
        description: 'Billing '.repeat(60),
      },
    });
    await api('/v1/clients', { body: { name: 'Selected' } });
    const [{ body: events }, { body: deliveries }, { body: audit }] = await Promise.all([
      api('/v1/webhooks/events'),
      api('/v1/webhooks/deliveries'),
      // With values that are longer than their column.
      api('/v1/audit/events?action=oauth.app_authorized'),
    ]);
    const own = `/console/webhooks/${endpoint.id}`;
    return [
      ...['/console/events', `/console/events/${events.data[0].id}`, '/console/audit'],
      ...[`/console/audit/${audit.data[0].id}`, '/console/webhooks', '/console/webhooks/catalogue?type=user.invited'],
      ...['/console/webhooks/new', own, `${own}/edit`, `${own}/secret`, `${own}/delete`],
      `/console/webhooks/deliveries/${deliveries.data[0].id}`,
    ];
  }

  /** The rooms of the tenant's data, each with an object. */
  async function dataPages({ apiKey }: SignedInDeveloper): Promise<string[]> {
    const api = apiOf(story.server.baseUrl, apiKey);
    const firstOf = async (path: string): Promise<string> => (await api(path)).body.data[0].id;
    await api('/v1/tenant', { method: 'PATCH', body: { name: 'T'.repeat(200) } });
    const [group, user, role] = [await firstOf('/v1/groups'), await firstOf('/v1/users'), await firstOf('/v1/roles')];
    const { body: client } = await api('/v1/clients', { body: { name: 'W'.repeat(200) } });
    const { body: location } = await api(`/v1/clients/${client.id}/locations`, {
      body: { name: 'Hafen', country: 'DE' },
    });
    const { body: member } = await api(`/v1/groups/${group}/members`);
    const { body: replay } = await api('/v1/webhooks/replays', { body: { since: '2026-01-01T00:00:00Z' } });
    const invoice = await firstOf('/v1/billing/invoices');
    const own = `/console/clients/${client.id}`;
    return [
      ...['/console/clients', '/console/clients?search=nowhere', '/console/clients/new', own, `${own}/users`],
      ...[`${own}/events`, `${own}/requests`, `${own}/audit`, `${own}/edit`, `${own}/delete`, `${own}/locations/new`],
      ...[`${own}/locations/${location.id}`, '/console/groups', `/console/groups/${group}`],
      ...[`/console/groups/${group}/owners`, `/console/groups/${group}/members/${member.data[0].client_id}/delete`],
      ...['/console/users', '/console/users/new', `/console/users/${user}`, '/console/roles', '/console/roles/new'],
      ...[`/console/roles/${role}`, '/console/settings', '/console/settings/edit', '/console/billing/invoices'],
      ...[
        `/console/billing/invoices/${invoice}`,
        '/console/billing/payments',
        '/console/plans',
        '/console/modules/catalog',
      ],
      ...['/console/webhooks/replays', '/console/webhooks/replays/new', `/console/webhooks/replays/${replay.id}`],
      ...[`/console/webhooks/replays/${replay.id}/cancel`, `/console/billing/invoices/${invoice}/payments`],
      ...[`${own}/groups`, `/console/groups/${group}/members`, `/console/users/${user}/deactivate`, `${own}/locations`],
      ...[`/console/users/${user}/invite`, '/console/logins', '/key', '/clients'],
    ];
  }

  /** Pages of collections, which one function builds from the operations: a form, a tab, a confirmation, an object. */
  const COLLECTION =
    /^\/console\/(?:clients|groups|users|roles|billing|settings|tenant|webhooks\/replays|apps\/[^/]+\/webhooks\/replays)\//;
  const shapeOf = (path: string) => {
    const last = path.split('/').at(-1) ?? '';
    return /^:|_/.test(last) ? 'object' : last;
  };

  /** Routes of pages of which the list has no page. Users of tenants have most pages of developers, at other paths. */
  function routesWithout(pages: readonly string[]): string[] {
    const paths = pages.map((page) => page.split('?')[0] ?? '');
    const shapes = new Set(paths.filter((path) => COLLECTION.test(path)).map(shapeOf));
    const shared = new Set(DEVELOPER_PAGES.map(({ path }) => path));
    const routes = [...DEVELOPER_PAGES, ...ADMIN_PAGES.filter(({ path }) => !shared.has(`/console${path}`))];
    const isPage = ({ method, path, answers }: (typeof routes)[number]) =>
      method === 'GET' && answers === undefined && !/export/.test(path);
    const isListed = (path: string) => {
      if (COLLECTION.test(path) && shapes.has(shapeOf(path))) return true;
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[\\w-]+')}$`);
      return paths.some((one) => pattern.test(one));
    };
    return routes.filter(isPage).flatMap(({ path }) => (isListed(path) ? [] : [path]));
  }

  async function signInAsBoth(page: Page, developer: SignedInDeveloper): Promise<void> {
    const { server } = story;
    const { body } = await apiOf(server.baseUrl, developer.apiKey)('/v1/users?role=owner');
    await signIn(page, server, developer.session);
    await signIn(page, server, await server.signInAdmin(body.data[0].id));
  }

  /** A developer with an object of every kind, and the pages that show them. */
  let known: Promise<{ readonly developer: SignedInDeveloper; readonly pages: readonly string[] }> | undefined;
  const world = () =>
    (known ??= (async () => {
      const developer = await signedInDeveloper(story.server);
      return { developer, pages: await everyPage(developer) };
    })());

  test('every route of a page is among the tested pages', async () => {
    expect(routesWithout((await world()).pages)).toEqual([]);
  });

  const linksOfRooms = (page: Page) =>
    page.evaluate<string[]>("[...document.querySelectorAll('.nav-link')].map((link) => link.getAttribute('href'))");

  // All rules on every page, or all keys: a slow machine has taken more than the usual two minutes.
  const slow = { timeout: 600_000 };
  test(
    'every page passes axe in light and dark on a desktop and a phone, and nothing is cut off or too small to press',
    slow,
    async () => {
      const { server } = story;
      const { developer, pages } = await world();
      const page = await browser.newPage({ viewport: null });
      const screens = await screensOf(page);
      await signInAsBoth(page, developer);
      // Fingers need 44 px, a mouse 24 px (WCAG 2.2, 2.5.5 and 2.5.8).
      const expectRoom = async (path: string, width: number, least: number) => {
        const { small, narrow, whole } = await page.evaluate<{ small: string[]; narrow: string[]; whole: number }>(`({
        narrow: [...document.querySelectorAll('[type=checkbox], [type=radio], th, td')]
          .filter((part) => part.checkVisibility() && part.offsetWidth < (part.textContent.trim().length > 3 ? 28 : 16))
          .map((part) => part.offsetWidth + ' px wide: ' + part.outerHTML),
        small: [...document.querySelectorAll('button, .button, summary, textarea, input:not([type=hidden]), .bar a')]
          .map((element) => element.closest('label') ?? element)
          .map((element) => [element, element.getBoundingClientRect().height])
          .filter(([, height]) => height > 0 && height < ${least})
          .map(([element, height]) => height + ' px: ' + element.outerHTML),
        whole: document.documentElement.scrollWidth,
      })`);
        expect([...small, ...narrow], path).toEqual([]);
        expect(whole, `${path} at ${width} px`).toBeLessThanOrEqual(width);
      };
      const rooms = new Set<string>();
      for (const home of ['/', '/console']) {
        await page.goto(server.baseUrl + home);
        for (const room of await linksOfRooms(page)) rooms.add(room);
      }
      // Users of tenants have most rooms of developers, at other paths.
      expect([...rooms].filter((room) => room.startsWith('/console') && !pages.includes(room))).toEqual([]);
      for (const path of new Set(pages)) {
        await screens.show('desktop');
        await page.goto(server.baseUrl + path);
        // The longest words of a time, whenever the test runs.
        await page.evaluate(
          "document.querySelectorAll('time.ago').forEach((time) => { time.textContent = '59 min ago' })",
        );
        expect(await page.title(), path).toMatch(/ – Plat$/);
        await expectRoom(path, 1440, 24);
        await screens.expectAccessible(rooms.has(path));
        for (const width of [390, 320, 640]) {
          if (width !== 390) await screens.show('phone', width);
          await expectRoom(path, width, 44);
        }
        if (!rooms.has(path)) continue;
        await screens.show('phone', 360);
        await screens.setTextSize(32);
        await expectRoom(path, 360, 44);
        await screens.setTextSize(16);
      }
      // An open drawer covers the page: nothing below it takes the focus.
      await screens.show('phone');
      await page.goto(`${server.baseUrl}/console#nav`);
      const isBarReachable = "document.querySelector('.menu-button').checkVisibility({ visibilityProperty: true })";
      expect(await page.evaluate(isBarReachable)).toBe(false);
      await page.click('.nav-close');
      expect(await page.evaluate(isBarReachable)).toBe(true);
    },
  );

  test('the keyboard alone leads to every room, and there to every control', slow, async () => {
    const { server } = story;
    const { developer } = await world();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInAsBoth(page, developer);
    for (const home of ['/console', '/']) {
      await page.goto(server.baseUrl + home);
      const rooms = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.nav-link')].map(({ textContent }) => textContent)`,
      );
      expect(rooms.length).toBeGreaterThan(12);
      for (const room of rooms) {
        await page.goto(server.baseUrl + home);
        await tabTo(page, room);
        await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
        expect(await page.textContent('.nav-link[aria-current=page]')).toBe(room);
        expect(await unreachableByTab(page), room).toEqual([]);
      }
    }
  });

  test('every page works without script', async () => {
    const { server } = story;
    const developer = await signedInDeveloper(server);
    const page = await browser.newPage({ javaScriptEnabled: false });
    const complaints = complaintsOf(page);
    await signInAsBoth(page, developer);
    await page.goto(`${server.baseUrl}/console/clients/new`);
    await page.fill('#name', 'Without script');
    await page.click('button:text("Create client")');
    await page.click('text=Create location');
    await page.fill('#name', 'Hafen');
    await page.fill('#country', 'ZZ');
    await page.click('button:text("Create location")');
    expect(await page.textContent('[role=alert]')).toContain('Country');
    await page.fill('#country', 'DE');
    await page.click('button:text("Create location")');
    expect(await page.textContent('[role=status]')).toContain('Location created.');
    await page.click('text=Clients >> nth=0');
    await page.fill('#filter-search', 'WITHOUT');
    await page.click('button:text("Apply")');
    await page.click('text=Without script');
    await page.click('text=Delete client');
    await page.click('button:text("Delete client")');
    expect(await page.textContent('[role=status]')).toContain('Client deleted.');
    await page.goto(`${server.baseUrl}/console/settings`);
    await page.click('a:text("Edit") >> nth=0');
    await page.fill('#name', 'Renamed');
    await page.click('button:text("Save changes")');
    expect(await page.textContent('.tenant-name')).toBe('Renamed');
    await page.goto(`${server.baseUrl}/console/key?tick=read`);
    await page.click('text=Replace key >> nth=-1');
    expect((await me(await shownSecret(page))).status).toBe(200);
    await page.goto(`${server.baseUrl}/console/apps/new`);
    await page.fill('#name', 'Without script');
    await page.fill('#redirect_uris', callback.url);
    await page.check('[name="scope.me:read"]');
    await page.check('[name="scope.clients:read"]');
    await page.click('button:text("Register app")');
    const clientSecret = await shownSecret(page);
    await page.click('text=Continue');
    const appId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.click('text=Rotate secret');
    await page.check('text=Now, because');
    await page.click('button:text("Rotate secret")');
    expect(await shownSecret(page)).not.toBe(clientSecret);
    await page.goto(authorization(appId, newPkce().codeChallenge));
    await page.click('button:text("Allow")');
    await page.waitForURL(`${callback.url}?code=*`);
    await page.goto(`${server.baseUrl}/console/consents`);
    await page.click('tbody a.row-link');
    await page.click('a:text("Revoke access")');
    await page.click('button:text("Revoke access")');
    expect(await page.textContent('main')).toContain('No app has access to your sandbox');
    await page.goto(`${server.baseUrl}/console/sandbox`);
    await page.click('text=Reset sandbox');
    await page.click('button:text("Reset sandbox")');
    expect(await page.textContent('[role=status]')).toContain('Sandbox reset');
    await page.click('button:text("Sign out")');
    expect(new URL(page.url()).pathname).toBe('/console/sign-in');
    expect(complaints).toEqual([]);
  });
});
