import { describe, expect, test } from 'vitest';
import { expectAccessible, tabTo, useBrowser } from '../support/browser.ts';
import { beginLogin, poll, signedInDeveloper } from '../support/developer.ts';
import { hasChromium } from '../support/find-servers.ts';
import { signInMail } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

describe.runIf(hasChromium())('with the keyboard alone, in Chromium', () => {
  const browser = useBrowser();

  test('a developer signs in on the way, comes back to the code, compares it, and approves', async () => {
    const { server } = story;
    const { email } = await signedInDeveloper(server);
    const { device_code, user_code, verification_uri_complete } = await beginLogin(server);
    const page = await browser.newPage();
    await page.goto(verification_uri_complete);
    await tabTo(page, 'Email address');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/sign-in/code');
    await page.goto(server.baseUrl + (await signInMail(server, email)).link);
    await tabTo(page, 'Sign in');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/cli?user_code=*');
    expect(await page.textContent('main')).toContain(user_code);
    await expectAccessible(page);
    const [deny, approve] = await Promise.all(
      ['Deny', 'Approve'].map((name) => page.getByRole('button', { name }).boundingBox()),
    );
    expect([approve?.width, approve?.height]).toEqual([deny?.width, deny?.height]);
    await tabTo(page, 'Approve');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/cli?done=approved');
    await expectAccessible(page);
    expect((await poll(server, device_code)).status).toBe(200);
  });

  test('a code is typed, first wrong and then right, and denied', async () => {
    const { server } = story;
    const { session } = await signedInDeveloper(server);
    const { device_code, user_code, verification_uri } = await beginLogin(server);
    const page = await browser.newPage();
    const [name = '', value = ''] = session.cookie.split('=');
    await page.context().addCookies([{ name, value, url: server.baseUrl }]);
    await page.goto(verification_uri);
    await expectAccessible(page);
    await tabTo(page, 'Code from the terminal');
    await page.keyboard.type('bbbb-bbbb');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await expectAccessible(page);
    // The field has the focus again.
    await page.keyboard.type(user_code.toLowerCase());
    await page.keyboard.press('Enter');
    await page.waitForSelector('button[value=deny]');
    await tabTo(page, 'Deny');
    await page.keyboard.press('Space');
    await page.waitForURL('**/console/cli?done=denied');
    await expectAccessible(page);
    expect((await poll(server, device_code)).body.error).toBe('access_denied');
  });
});
