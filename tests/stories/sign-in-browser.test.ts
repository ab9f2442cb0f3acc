import type { TestServer } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { expectAccessible, tabTo, useBrowser } from '../support/browser.ts';
import { hasChromium } from '../support/find-servers.ts';
import { signInMail } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

/** Returns the link of the latest mail, with the address of this machine. */
const linkTo = async (server: TestServer, email: string) => server.baseUrl + (await signInMail(server, email)).link;

describe.runIf(hasChromium())('with the keyboard alone, in Chromium', () => {
  const browser = useBrowser();

  test('a developer signs in by the link, opens the pages, and signs out', async () => {
    const { server } = story;
    const email = 'ada@example.com';
    const page = await browser.newPage();
    await page.goto(`${server.baseUrl}/console`);
    expect(await page.title()).toBe('Sign in to the developer console – Plat');
    await expectAccessible(page);

    // The first tab stop skips the navigation bar.
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Email address');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/sign-in/code');
    expect(await page.textContent('main')).toContain(email);
    await expectAccessible(page);

    await page.goto(await linkTo(server, email));
    await expectAccessible(page);
    await tabTo(page, 'Sign in');
    await page.keyboard.press('Space');
    await page.waitForURL('**/console');
    expect(await page.textContent('main')).toContain('tnt_');
    await expectAccessible(page);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'plat_developer', httpOnly: true, sameSite: 'Lax', path: '/' });

    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/sign-in');
    expect(await page.context().cookies()).toMatchObject([{ name: 'plat_developer_sign_in' }]);
    await page.goBack();
    expect(await page.textContent('main')).not.toContain('tnt_');
  });

  test('a user of two tenants opens the link elsewhere, types the code in the first browser, and chooses', async () => {
    const { server } = story;
    const email = 'grace@example.com';
    const tenants = [
      await server.createTenant({ ownerEmail: email }),
      await server.createTenant({ ownerEmail: email }),
    ];
    const page = await browser.newPage();
    await page.goto(`${server.baseUrl}/sign-in?return_to=%2F%3Ffrom%3Dhere`);
    await tabTo(page, 'Email address');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    // The browser reports the invalid address itself. Without its validation, the server does.
    expect(await page.evaluate('document.querySelector("#email").validity.typeMismatch')).toBe(true);
    await page.evaluate('document.querySelector("form").noValidate = true');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await expectAccessible(page);
    // The invalid field has the focus.
    await page.keyboard.press('Control+A');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in/code');

    const elsewhere = await browser.newPage();
    await elsewhere.goto(await linkTo(server, email));
    expect(await elsewhere.textContent('h1')).toBe('Continue in the browser where you started');
    expect(await elsewhere.context().cookies()).toEqual([]);
    await expectAccessible(elsewhere);

    const { code } = await signInMail(server, email);
    await tabTo(page, 'Code from the email');
    await page.keyboard.type('ZZZZ-ZZZ9');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    expect(await page.textContent('[role=alert]')).toContain('4 tries are left');
    await expectAccessible(page);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(code.toLowerCase());
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in/tenant');
    await expectAccessible(page);
    const choices = await page.evaluate<string[]>(
      '[...document.querySelectorAll("[type=radio]")].map(({ value }) => value)',
    );
    expect(choices.toSorted()).toEqual(tenants.map(({ ownerId }) => ownerId).sort());
    await tabTo(page, 'Test SANDBOX (owner)');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?from=here');
    const chosen = tenants.find(({ ownerId }) => ownerId === choices[1]);
    expect(await page.textContent('main')).toContain(chosen?.tenantId);
    await expectAccessible(page);
  });

  test('buttons and links are large enough, at the width of a phone too, and nothing is cut off', async () => {
    const { server } = story;
    const { ownerId } = await server.createTenant();
    const { cookie } = await server.signInAdmin(ownerId);
    const [name = '', value = ''] = cookie.split('=');
    for (const width of [320, 1280]) {
      // Fingers need 44 px, a mouse 24 px (WCAG 2.2, 2.5.5 and 2.5.8).
      const isTouched = width < 1280;
      const page = await browser.newPage({
        viewport: { width, height: 700 },
        hasTouch: isTouched,
        isMobile: isTouched,
      });
      await page.context().addCookies([{ name, value, url: server.baseUrl }]);
      for (const path of ['/', '/sign-in', '/console/sign-in']) {
        await page.goto(server.baseUrl + path);
        const sizes = await page.evaluate<
          [string, number][]
        >(`[...document.querySelectorAll('button, input:not([type=hidden]), .bar a')]
          .map((element) => [element.outerHTML, element.getBoundingClientRect().height])`);
        expect(sizes.length).toBeGreaterThan(0);
        expect(sizes.filter(([, height]) => height > 0 && height < (isTouched ? 44 : 24))).toEqual([]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
    }
  });
});
