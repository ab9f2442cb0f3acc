import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestServer, execute, select, type TestSession } from '@plat/server/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { expectAccessible, tabTo, useBrowser } from '../support/browser.ts';
import { hasChromium } from '../support/find-servers.ts';
import { fetchKeys, isSignedBy, type LaunchWorld, launchWorld, readToken, setPlan } from '../support/launch.ts';
import { type NodeProcess, spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Visitor, visitor } from '../support/visitor.ts';

vi.setConfig({ testTimeout: 120_000 });

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let world: LaunchWorld;
/** examples/launch-module, unchanged. */
let module: NodeProcess;
let moduleUrl: string;

beforeAll(async () => {
  world = await launchWorld(story.server);
  module = spawnNode('examples/launch-module/index.js', { env: { PORT: '0', PLAT_ISSUER: story.server.baseUrl } });
  [, moduleUrl = ''] = await module.waitFor(/Listening on (\S+)\/launch/);
  await registerModule(`${moduleUrl}/launch`);
});
afterAll(() => module?.stop());

const registerModule = (url: string) =>
  execute(story.server.db, "UPDATE modules SET launch_url = :url WHERE slug = 'analytics'", { url });

async function signedIn(userId: string, server = story.server): Promise<Visitor> {
  const { cookie, csrfToken } = await server.signInAdmin(userId);
  const browser = visitor(server.baseUrl, cookie);
  return { ...browser, post: (path, fields = {}) => browser.post(path, { _csrf: csrfToken, ...fields }) };
}

/** Returns the value of a hidden field of a page. */
const tokenIn = (text: string) => /name="launch_token" value="([^"]*)"/.exec(text)?.[1] ?? 'none';
const cards = (text: string) =>
  [...text.matchAll(/<article class="item">\n<h2>([^<]*)<.*?<\/article>/gs)].map(([card, name]) => ({
    name,
    entitlements: [...card.matchAll(/<li><code>([^<]*)/g)].map(([, id]) => id),
    canLaunch: card.includes('Launch<'),
  }));

describe('the page of modules', () => {
  test("lists the modules of the plan with the user's entitlements for the client, and offers to launch the launchable ones", async () => {
    const owner = await signedIn(world.ownerId);
    expect(cards((await owner.get('/modules')).text)).toEqual([
      { name: 'Analytics', entitlements: ['analytics:read'], canLaunch: true },
      { name: 'Loyalty', entitlements: ['loyalty:read'], canLaunch: false },
      { name: 'Orders', entitlements: ['orders:manage', 'orders:read'], canLaunch: false },
    ]);
    const viewer = await signedIn(world.viewerId);
    expect(cards((await viewer.get('/modules')).text).at(-1)?.entitlements).toEqual(['orders:read']);

    const other = await launchWorld(story.server);
    await setPlan(story.server, other.tenantId, 'starter');
    expect(cards((await (await signedIn(other.ownerId)).get('/modules')).text)).toMatchObject([{ name: 'Orders' }]);
    await setPlan(story.server, other.tenantId, 'none');
    expect((await (await signedIn(other.ownerId)).get('/modules')).text).toContain(
      'The plan of the tenant has no modules',
    );
  });

  test('is about the chosen client; a user of one client has no choice', async () => {
    const [first, second] = world.clients;
    const chosen = (text: string) => /<option value="(\w+)" selected>/.exec(text)?.[1];
    const owner = await signedIn(world.ownerId);
    expect(chosen((await owner.get(`/modules?client_id=${second}`)).text)).toBe(second);
    expect(chosen((await owner.get(`/modules?client_id=${first}`)).text)).toBe(first);
    expect((await owner.get('/modules?client_id=cli_nobody')).status).toBe(200);
    // Clients with the same name are distinguished by their slugs.
    const { text: both } = await owner.get('/modules');
    const options = [...both.matchAll(/<option value="cli_\w+"[^>]*>([^<]+)</g)].map(([, label]) => label);
    expect(options).toHaveLength(2);
    for (const label of options) expect(label).toMatch(/^.+ \([a-z0-9-]+\)$/);

    await execute(story.server.db, 'UPDATE users SET client_id = :second WHERE id = :id', {
      second,
      id: world.memberId,
    });
    const { text } = await (await signedIn(world.memberId)).get(`/modules?client_id=${first}`);
    expect(text).not.toContain('<select id="client_id"');
    expect(text).toContain(`name="client_id" value="${second}"`);
    expect(text).not.toContain(first);
  });

  test('of a tenant with very many clients takes the id of one', async () => {
    const large = await launchWorld(story.server);
    const rows = Array.from({ length: 100 }, (_, i) => ({
      tenant_id: large.tenantId,
      id: `cli_0${String(i).padStart(25, '0')}`,
      name: `Client ${i}`,
      slug: `client-${i}`,
      status: 'active' as const,
      custom_domain: null,
      created_at: 1,
      updated_at: 1,
    }));
    await story.server.db.models.client.bulkCreate(rows);
    const owner = await signedIn(large.ownerId);
    const oldest = rows[0]?.id ?? '';
    const { text } = await owner.get(`/modules?client_id=${oldest}`);
    expect(text).toContain(`<input class="input" id="client_id" name="client_id" value="${oldest}"`);
    expect(text).toContain('This one is Client 0 (client-0).');
  });
});

describe('a launch', () => {
  test('is refused to users of a sandbox in production, where they would enter real modules', async () => {
    const env = { NODE_ENV: 'production', PLAT_MASTER_KEY: randomBytes(32).toString('base64') };
    const production = await createTestServer({ env });
    onTestFinished(() => production.close());
    const { tenantId, ownerId, clients } = await launchWorld(production);
    await execute(production.db, "UPDATE modules SET launch_url = 'https://a.example/launch' WHERE slug = 'analytics'");
    const launch = async () => {
      const owner = await signedIn(ownerId, production);
      const { text } = await owner.get('/modules');
      const answer = await owner.post('/modules/analytics/launch', { client_id: clients[0] });
      return [cards(text)[0]?.canLaunch, answer.status, tokenIn(answer.text) !== 'none'];
    };
    expect(await launch()).toEqual([false, 403, false]);
    await execute(production.db, 'UPDATE tenants SET sandbox = 0 WHERE id = :tenantId', { tenantId });
    expect(await launch()).toEqual([true, 200, true]);
  });

  test('answers its form with a page that posts the token to the module only, and that is not cached', async () => {
    const owner = await signedIn(world.ownerId);
    await owner.get('/modules');
    const fields = { client_id: world.clients[0], group_id: world.groupId };
    const { status, headers, text } = await owner.post('/modules/analytics/launch', fields);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${moduleUrl}`,
    );
    expect(text).toContain(`<form method="post" action="${moduleUrl}/launch"`);
    expect(text).not.toMatch(/<script>|<script src="[^/]/);
    const token = tokenIn(text);
    expect(isSignedBy(await fetchKeys(story.server), token)).toBe(true);
    expect(readToken(token).claims).toMatchObject({
      user: world.ownerId,
      client: fields.client_id,
      groupId: world.groupId,
    });

    const [{ actor_type, actor_id } = { actor_type: '', actor_id: '' }] = await select<Record<string, string>>(
      story.server.db,
      "SELECT actor_type, actor_id FROM audit_events WHERE tenant_id = :id AND action = 'launch_token.issued'",
      { id: world.tenantId },
    );
    expect([actor_type, actor_id]).toEqual(['user', world.ownerId]);
  });

  test('is refused on a page for modules that the user cannot launch, and without the CSRF token of the form', async () => {
    const owner = await signedIn(world.ownerId);
    await owner.get('/modules');
    const other = await launchWorld(story.server);
    for (const [path, fields, status] of [
      ['/modules/nothing/launch', { client_id: world.clients[0] }, 404],
      ['/modules/orders/launch', { client_id: world.clients[0] }, 422],
      ['/modules/analytics/launch', { client_id: other.clients[0] }, 404],
      ['/modules/analytics/launch', { client_id: world.clients[0], group_id: other.groupId }, 404],
      ['/modules/analytics/launch', {}, 400],
      ['/modules/analytics/launch', { client_id: world.clients[0], _csrf: 'no' }, 403],
    ] as const) {
      const answer = await owner.post(path, fields);
      expect([path, answer.status, tokenIn(answer.text)]).toEqual([path, status, 'none']);
    }
  });
});

describe('the example module', () => {
  const post = (token: string) =>
    fetch(`${moduleUrl}/launch`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ launch_token: token }),
    });
  const launch = (userId: string, client = world.clients[0]) =>
    story.server.launch({ tenantId: world.tenantId, userId, clientId: client, moduleSlug: 'analytics' });

  test('accepts a launch, and opens its own session, which has the claims of the token and not the token', async () => {
    const token = await launch(world.viewerId);
    const answer = await post(token);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^analytics_session=[\w-]{43}; Max-Age=3600; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(token.slice(-40));
    const headers = { cookie: cookie.split(';', 1).join() };
    const home = await (await fetch(moduleUrl, { headers })).text();
    for (const words of [world.viewerId, world.clients[0], 'viewer', 'analytics:read']) expect(home).toContain(words);
    expect((await fetch(`${moduleUrl}/export`, { headers })).status).toBe(403);
    expect((await fetch(moduleUrl)).status).toBe(401);
    expect((await fetch(moduleUrl, { headers: { cookie: 'analytics_session=other' } })).status).toBe(401);
  });

  test('checks its entitlements: 403 NOT_ENTITLED without the first, an export with the second', async () => {
    await setPlan(story.server, world.tenantId, 'starter');
    const refused = await post(await launch(world.ownerId));
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'NOT_ENTITLED' }]);
    await module.waitFor(/^refused +NOT_ENTITLED/m);
    await setPlan(story.server, world.tenantId, 'scale');
    const [cookie = ''] = (await post(await launch(world.ownerId))).headers.getSetCookie();
    const exported = await fetch(`${moduleUrl}/export`, { headers: { cookie: cookie.split(';', 1).join() } });
    expect([exported.status, await exported.text()]).toEqual([200, expect.stringContaining('orders')]);
    await setPlan(story.server, world.tenantId, 'growth');
  });

  test('refuses tokens that are not launch tokens of the platform for it', async () => {
    const token = await launch(world.ownerId);
    for (const wrong of ['', 'nonsense', `${token.slice(0, -4)}AAAA`]) {
      const answer = await post(wrong);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    }
  });

  test('finds the sandbox of npm start by its file; without the file it prints what to do', async () => {
    const nowhere = spawnNode('examples/launch-module/index.js', {
      env: { PORT: '0', PLAT_DATA_DIR: tempFolder('none').path },
    });
    expect(await nowhere.exited).toEqual({ code: 1, signal: null });
    expect(nowhere.stderr()).toMatch(/npm start[\s\S]*PLAT_ISSUER/);
    const PLAT_DATA_DIR = tempFolder('sandbox').path;
    writeFileSync(join(PLAT_DATA_DIR, 'sandbox.json'), JSON.stringify({ base_url: story.server.baseUrl }));
    const here = spawnNode('examples/launch-module/index.js', { env: { PORT: '0', PLAT_DATA_DIR } });
    const [, issuer] = await here.waitFor(/Listening on \S+ for (\S+)/);
    await here.stop();
    expect(issuer).toBe(story.server.baseUrl);
  });
});

/** Pages do not depend on the database, so these tests run once. */
const isBrowserRun = hasChromium() && inject('database').kind === 'sqlite';

describe.runIf(isBrowserRun)('in Chromium', () => {
  const browser = useBrowser();
  const signIn = async (page: Page, { cookie }: TestSession) => {
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url: story.server.baseUrl }]);
  };

  test('with the keyboard alone, a user chooses the client and a group, launches, opens, and is in the module', async () => {
    const { server } = story;
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await signIn(page, await server.signInAdmin(world.ownerId));
    const press = async (words: string) => {
      await tabTo(page, words);
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    };
    await page.goto(server.baseUrl);
    await press('Modules');
    await expectAccessible(page);
    await tabTo(page, 'Client');
    await page.selectOption('#client_id', world.clients[1]);
    await press('Show modules');
    expect(new URL(page.url()).searchParams.get('client_id')).toBe(world.clients[1]);
    await page.selectOption('#group-analytics', world.groupId);
    await press('Launch Analytics');
    expect(await page.textContent('h1')).toBe('Continue to Analytics');
    await expectAccessible(page);
    // The only button has the focus.
    await Promise.all([page.waitForURL(`${moduleUrl}/`), page.keyboard.press('Enter')]);
    expect(await page.textContent('#user')).toBe(world.ownerId);
    expect(await page.textContent('#client')).toBe(world.clients[1]);
    expect(await page.textContent('#group')).toBe(world.groupId);
    expect(page.url()).not.toContain('token');
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
  });

  test('works without script, and the policy lets the token go to the module only', async () => {
    const { server } = story;
    const page = await browser.newPage({ javaScriptEnabled: false });
    await signIn(page, await server.signInAdmin(world.viewerId));
    await page.goto(`${server.baseUrl}/modules`);
    await page.click('article button');
    const [post] = await Promise.all([page.waitForRequest(`${moduleUrl}/launch`), page.click('text=Open Analytics')]);
    expect(await page.textContent('#user')).toBe(world.viewerId);
    // A module that checks the origin of forms can allow the platform. The address of the page is not sent.
    expect(await post.allHeaders()).toMatchObject({ origin: server.baseUrl, referer: `${server.baseUrl}/` });

    const other = await browser.newPage();
    await signIn(other, await server.signInAdmin(world.ownerId));
    await other.goto(`${server.baseUrl}/modules`);
    await other.click('article button');
    const blocked = other.waitForEvent('console', (message) => message.text().includes('form-action'));
    await other.evaluate(`{
      const form = document.querySelector('main form');
      form.action = 'http://localhost:9/elsewhere';
      form.requestSubmit();
    }`);
    await blocked;
    expect(other.url()).toContain('/modules/analytics/launch');
  });
});
