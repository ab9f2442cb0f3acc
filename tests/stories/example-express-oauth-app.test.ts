import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { selectOne } from '@plat/server/testing';
import { testReceiver } from '@plat/webhooks/conformance';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectAccessible, useBrowser } from '../support/browser.ts';
import { answerLogin, signedInDeveloper } from '../support/developer.ts';
import { hasChromium } from '../support/find-servers.ts';
import { freePort } from '../support/free-port.ts';
import { spawnNode } from '../support/process.ts';
import { sandboxFolder } from '../support/sandbox-folder.ts';
import { signInMail } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';

/* examples/express-oauth-app, unchanged: the contents of its script `dev`. */

const story = useServer();

describe.runIf(hasChromium())('in Chromium', () => {
  const browser = useBrowser();

  test('an account connects two tenants, keeps them over a restart, and sees when one withdraws access', async () => {
    const { server } = story;
    const developer = await signedInDeveloper(server);
    const { path: folder, env } = sandboxFolder(server.baseUrl, developer.apiKey);
    const appUrl = `http://127.0.0.1:${await freePort()}`;
    const environment = { ...env, APP_URL: appUrl };
    const registering = spawnNode('examples/express-oauth-app/register.js', { cwd: folder, env: environment });
    const [, code = ''] = await registering.waitFor(/user_code=(\S+)/);
    await answerLogin(server, developer.session, code);
    expect(await registering.exited, registering.stderr()).toEqual({ code: 0, signal: null });

    const settings = parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>;
    const start = async () => {
      const app = spawnNode('examples/express-oauth-app/index.js', { cwd: folder, env: settings });
      onTestFinished(async () => void (await app.stop()));
      await app.waitFor(/^Open http/m);
      return app;
    };
    const first = await start();

    const page = await browser.newPage();
    await page.goto(appUrl);
    expect(await page.textContent('main')).toContain('No tenant is connected yet');
    await expectAccessible(page);
    const connect = async (email: string) => {
      await page.goto(appUrl);
      await page.click('text=Connect a tenant');
      await page.fill('#email', email);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sign-in/code');
      await page.goto(server.baseUrl + (await signInMail(server, email)).link);
      await page.click('button:text("Sign in")');
      await page.click('button:text("Allow")');
      await page.waitForURL(`${appUrl}/`);
    };
    await connect(developer.email);
    // The same browser, signed in to the platform as another owner.
    await page.context().clearCookies({ name: /^plat_/ });
    const other = await signedInDeveloper(server);
    await connect(other.email);
    const rows = () => page.locator('tbody tr').allTextContents();
    expect((await rows()).map((row) => row.includes('Connected'))).toEqual([true, true]);
    await expectAccessible(page);

    await first.stop();
    const second = await start();
    await page.click(`tr:has-text("${developer.tenantId}") >> a`);
    expect(await page.locator('li').count()).toBe(2);
    await expectAccessible(page);
    const stranger = await browser.newPage();
    const refused = await stranger.goto(`${appUrl}/tenants/${developer.tenantId}/clients`);
    expect(refused?.status()).toBe(404);

    const grant = await selectOne<{ id: string }>(
      server.db,
      'SELECT id FROM oauth_grants WHERE tenant_id = :tenantId',
      { tenantId: other.tenantId },
    );
    await server.revokeConsent(other.tenantId, grant?.id ?? '');
    await second.waitFor(/event +installation.revoked/);
    const ended = async () => {
      await page.goto(appUrl);
      return (await rows()).map((row) => row.includes('Access ended')).sort();
    };
    await expect.poll(ended).toEqual([false, true]);
    await page.click('button');
    expect(await ended()).toEqual([true, true]);

    const secret = settings['PLAT_APP_WEBHOOK_SECRET'] ?? '';
    const { cases } = await testReceiver({ url: `${appUrl}/app-events`, secret });
    expect(cases.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  });
});
