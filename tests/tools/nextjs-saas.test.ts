import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createTestServer, type TestServer } from '@plat/server/testing';
import { testReceiver } from '@plat/webhooks/conformance';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { expectAccessible, useBrowser } from '../support/browser.ts';
import { answerLogin, signedInDeveloper } from '../support/developer.ts';
import { hasChromium, hasNext } from '../support/find-servers.ts';
import { freePort } from '../support/free-port.ts';
import { next } from '../support/next-app.ts';
import { repository, spawnNode } from '../support/process.ts';
import { sandboxFolder } from '../support/sandbox-folder.ts';
import { signInMail } from '../support/sign-in.ts';

/* examples/nextjs-saas, unchanged: its registration, a real build, and `next start` in Chromium. */

const EXAMPLE = join(repository, 'examples/nextjs-saas');

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

test('registers again after its file was deleted, and has the secret of the endpoint', async () => {
  const developer = await signedInDeveloper(server);
  const { path: folder, env } = sandboxFolder(server.baseUrl, developer.apiKey);
  const register = () => spawnNode('examples/nextjs-saas/register.js', { cwd: folder, env });
  const first = register();
  const [, code = ''] = await first.waitFor(/user_code=(\S+)/);
  await answerLogin(server, developer.session, code);
  expect(await first.exited, first.stderr()).toEqual({ code: 0, signal: null });
  const read = () => parseEnv(readFileSync(join(folder, '.env.local'), 'utf8'));
  const { PLAT_WEBHOOK_SECRET: former } = read();
  rmSync(join(folder, '.env.local'));
  const second = register();
  expect(await second.exited, second.stderr()).toEqual({ code: 0, signal: null });
  expect(read()['PLAT_WEBHOOK_SECRET']).toMatch(/^whsec_/);
  expect(read()['PLAT_WEBHOOK_SECRET']).not.toBe(former);
});

describe.runIf(hasNext() && hasChromium())('in Chromium', () => {
  const browser = useBrowser();

  test('connects a tenant and shows its clients, receives webhooks, and is launched', {
    timeout: 300_000,
  }, async () => {
    const developer = await signedInDeveloper(server);
    const { path: folder, env } = sandboxFolder(server.baseUrl, developer.apiKey);
    const port = String(await freePort());
    const appUrl = `http://127.0.0.1:${port}`;
    const registering = spawnNode('examples/nextjs-saas/register.js', {
      cwd: folder,
      env: { ...env, APP_URL: appUrl },
    });
    const [, code = ''] = await registering.waitFor(/user_code=(\S+)/);
    await answerLogin(server, developer.session, code);
    expect(await registering.exited, registering.stderr()).toEqual({ code: 0, signal: null });
    const settings = parseEnv(readFileSync(join(folder, '.env.local'), 'utf8')) as Record<string, string>;

    const build = next(EXAMPLE, ['build']);
    expect(await build.exited, build.stdout() + build.stderr()).toEqual({ code: 0, signal: null });
    const start = ['start', '-H', '127.0.0.1', '-p', port];
    const app = next(EXAMPLE, start, { ...settings, DATABASE: join(folder, 'app.db') });
    onTestFinished(async () => void (await app.stop()));
    await app.waitFor(/Ready/);

    const page = await browser.newPage();
    await page.goto(appUrl);
    await expectAccessible(page);
    await page.click('text=Connect a tenant');
    await page.fill('#email', developer.email);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in/code');
    await page.goto(server.baseUrl + (await signInMail(server, developer.email)).link);
    await page.click('button:text("Sign in")');
    await page.click('button:text("Allow")');
    await page.waitForURL(`${appUrl}/clients`);
    expect(await page.locator('li').count()).toBe(2);
    await expectAccessible(page);
    const stranger = await browser.newPage();
    await stranger.goto(`${appUrl}/clients`);
    expect(stranger.url()).toBe(`${appUrl}/`);

    const [user = '', client = ''] = await Promise.all(
      ['users', 'clients'].map((family) => firstId(developer.apiKey, family)),
    );
    const launch = { tenantId: developer.tenantId, moduleSlug: 'analytics', clientId: client, userId: user };
    const post = (token: string) =>
      page.request.post(`${appUrl}/launch`, { form: { launch_token: token }, maxRedirects: 0 });
    const token = await server.launch(launch);
    expect((await post(`${token.slice(0, -8)}AAAAAAAA`)).status()).toBe(401);
    const launched = await post(token);
    expect(launched.status()).toBe(303);
    // The form of the platform comes without the session, which must stay.
    expect(launched.headers()['set-cookie']).toMatch(/^launch=[^\n]+$/);
    await page.goto(appUrl);
    expect(await page.textContent('main')).toContain(`Launched by ${user}`);

    const secret = settings['PLAT_WEBHOOK_SECRET'] ?? '';
    const { cases } = await testReceiver({ url: `${appUrl}/webhooks`, secret });
    expect(cases.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    await app.waitFor(/verified +client\.created/);
  });

  async function firstId(apiKey: string, family: string): Promise<string> {
    const headers = { authorization: `Bearer ${apiKey}` };
    const { data } = await (await fetch(`${server.baseUrl}/v1/${family}?limit=1`, { headers })).json();
    return data[0].id;
  }
});
