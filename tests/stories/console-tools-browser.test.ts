import { execute } from '@plat/server/testing';
import { describe, expect, inject, test, vi } from 'vitest';
import { apiOf } from '../support/api.ts';
import { expectAccessible, tabTo, useBrowser } from '../support/browser.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { hasChromium } from '../support/find-servers.ts';
import { useServer } from '../support/story.ts';

/** Longer than usual: axe examines each page twice. */
vi.setConfig({ testTimeout: 120_000 });

const isBrowserRun = hasChromium() && inject('database').kind === 'sqlite';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

describe.runIf(isBrowserRun)('the tools of the console, in Chromium', () => {
  const browser = useBrowser();

  async function signedInPage(options: { width: number; javaScriptEnabled?: boolean; timezoneId?: string }) {
    const { server } = story;
    const developer = await signedInDeveloper(server);
    const { width, javaScriptEnabled = true, timezoneId = 'UTC' } = options;
    const page = await browser.newPage({ viewport: { width, height: 900 }, javaScriptEnabled, timezoneId });
    const [name = '', value = ''] = developer.session.cookie.split('=');
    await page.context().addCookies([{ name, value, url: server.baseUrl }]);
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    return { developer, page, complaints, api: apiOf(server.baseUrl, developer.apiKey) };
  }

  test('the live tail adds rows until it is paused, and the jump box suggests what a person types', async () => {
    const { page, api, complaints } = await signedInPage({ width: 1440 });
    await api('/v1/clients', { body: { name: 'Suggested works', slug: 'suggested-works' } });
    await api('/v1/requests');
    await page.goto(`${story.server.baseUrl}/console/requests`);
    await page.waitForSelector('.live [role=status]:text("Live")');
    const { headers } = await api('/v1/tenant');
    await page.waitForSelector(`tr.is-new#${headers.get('x-request-id')}`);
    expect(await page.textContent('.live [role=status]')).toBe('Live: 1 new');
    await expectAccessible(page);
    await page.click('text=Pause');
    expect(await page.textContent('.live [role=status]')).toBe('Paused');
    const paused = (await api('/v1/me')).headers.get('x-request-id');
    await page.click('text=Go live');
    await page.waitForSelector(`tr.is-new#${paused}`);

    await page.keyboard.press('/');
    await page.keyboard.type('suggested');
    await page.waitForSelector('#jump-list option[value=suggested-works]', { state: 'attached' });
    await page.fill('#jump', 'suggested-works');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(await page.title()).toContain('Trace of');
    expect(complaints).toEqual([]);
  });

  test('a time is that of the viewer with UTC beside it, and ages follow the clock of the server', async () => {
    const { server } = story;
    const { page, api } = await signedInPage({ width: 1440, timezoneId: 'Europe/Berlin' });
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const created = page.locator('dt:text-is("Created") + dd time');
    const shownAt = async (at: string): Promise<[string | null, string | null]> => {
      const sql = 'UPDATE clients SET created_at = :at WHERE id = :id';
      await execute(server.db, sql, { at: Date.parse(at), id: client.id });
      await page.goto(`${server.baseUrl}/console/clients/${client.id}`);
      return [await created.textContent(), await created.getAttribute('title')];
    };
    // The name of the zone is that of the time, not of today.
    expect(await shownAt('2024-01-15T12:00:00Z')).toEqual([
      expect.stringMatching(/^2024-01-15 13:00:00 (?:CET|GMT\+1) · 12:00:00 UTC$/),
      expect.stringMatching(/13:00:00 (?:CET|GMT\+1) · 2024-01-15 12:00:00 UTC$/),
    ]);
    expect(await shownAt('2024-07-15T22:30:00Z')).toEqual([
      expect.stringMatching(/^2024-07-16 00:30:00 (?:CEST|GMT\+2) · 2024-07-15 22:30:00 UTC$/),
      expect.stringMatching(/00:30:00 (?:CEST|GMT\+2) · 2024-07-15 22:30:00 UTC$/),
    ]);
    const plain = await signedInPage({ width: 1440, javaScriptEnabled: false, timezoneId: 'Europe/Berlin' });
    const { body: other } = await plain.api('/v1/clients', { body: { name: 'Acme' } });
    await plain.page.goto(`${server.baseUrl}/console/clients/${other.id}`);
    expect(await plain.page.textContent('dt:text-is("Created") + dd time')).toMatch(/^\d{4}-\d\d-\d\d [\d:]{8} UTC$/);
    // In a list, the minute of what is older than a day: “yesterday at three”.
    await page.goto(`${server.baseUrl}/console/clients`);
    const row = page.locator(`tr:has(a[href$="${client.id}"]) time.ago`);
    expect(await row.textContent()).toMatch(/^2024-07-16 00:30 (?:CEST|GMT\+2)$/);
    await server.clock.advance({ seconds: 7200 });
    try {
      await api('/v1/clients', { body: { name: 'Later' } });
      await page.goto(`${server.baseUrl}/console/clients`);
      await page.waitForSelector('time.ago[title*="·"]');
      expect(await page.locator('time.ago').first().textContent()).toMatch(/^(?:now|\d+ s ago)$/);
    } finally {
      await server.clock.reset();
    }
  });

  test('the timeline of a trace has the times of the viewer, and the date where that changes', async () => {
    const { server } = story;
    const { page, api, developer } = await signedInPage({ width: 1440, timezoneId: 'Asia/Kolkata' });
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    await api('/v1/requests');
    // Two seconds of one day in UTC, on both sides of midnight in Kolkata.
    const [before = 0, after = 0] = ['2024-07-15T18:29:59.500Z', '2024-07-15T18:30:00.250Z'].map((at) =>
      Date.parse(at),
    );
    const tenantId = developer.tenantId;
    const update = 'UPDATE requests SET created_at = :at WHERE tenant_id = :tenantId AND operation = :name';
    await execute(server.db, update, { at: before, tenantId, name: 'clients.create' });
    for (const [table, column] of [
      ['events', 'created'],
      ['audit_events', 'created_at'],
    ] as const) {
      await execute(server.db, `UPDATE ${table} SET ${column} = :at WHERE tenant_id = :tenantId`, {
        at: after,
        tenantId,
      });
    }
    await page.goto(`${server.baseUrl}/console/trace?id=${client.id}`);
    const shown = await page.locator('.tl').last().locator('.tl-when').allInnerTexts();
    expect(shown.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^23:59:59\.500 2024-07-15 (?:IST|GMT\+5:30)$/),
      '00:00:00.250 +750 ms 2024-07-16',
      '00:00:00.250 +750 ms 2024-07-16',
    ]);
  });

  test('long names and slugs leave a list and the details beside it their places', async () => {
    const { server } = story;
    const { page, api } = await signedInPage({ width: 1440 });
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const name = 'Maximiliane von und zu Hohenlohe '.repeat(6).trim();
    await api('/v1/users', { body: { email: 'max@example.com', name, role: 'viewer', client_id: client.id } });
    const { body: group } = await api('/v1/groups', { body: { name } });
    await api(`/v1/groups/${group.id}/members`, { body: { client_id: client.id } });
    const own = `/console/clients/${client.id}`;
    for (const path of ['/console/users', `${own}/users`, `${own}/groups`, '/console/groups']) {
      await page.goto(server.baseUrl + path);
      const [table, place] = await page.evaluate<[number, number]>(
        "['.table', '.table-wrap'].map((part) => document.querySelector(part).clientWidth)",
      );
      expect(table, path).toBeLessThanOrEqual(place);
    }
  });

  test('the page of a replay shows its progress without a reload, and leaves what a person reads', async () => {
    const { page, api, complaints } = await signedInPage({ width: 1440 });
    const { body: replay } = await api('/v1/webhooks/replays', { body: { since: '2026-01-01T00:00:00Z' } });
    await page.goto(`${story.server.baseUrl}/console/webhooks/replays/${replay.id}`);
    await page.waitForSelector('[data-refresh]');
    await page.evaluate('window.isSamePage = true');
    await execute(story.server.db, "UPDATE webhook_replays SET status = 'completed', total_count = 0 WHERE id = :id", {
      id: replay.id,
    });
    await page.waitForSelector('text=Completed. 0 of 0 events examined');
    expect([await page.isVisible('text=Cancel replay'), await page.evaluate('window.isSamePage')]).toEqual([
      false,
      true,
    ]);
    expect(complaints).toEqual([]);
  });

  test('the request log is complete without script, and shows no control of the live tail', async () => {
    const { page, api } = await signedInPage({ width: 390, javaScriptEnabled: false });
    await api('/v1/tenant');
    await api('/v1/requests');
    await page.goto(`${story.server.baseUrl}/console/requests`);
    expect(await page.textContent('.table tbody')).toContain('/v1/tenant');
    expect(await page.isVisible('.live')).toBe(false);
  });

  test('the Explorer and the sandbox tools work with the keyboard alone', async () => {
    const { page, api } = await signedInPage({ width: 1440 });
    const press = async (words: string) => {
      await tabTo(page, words);
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    };
    await page.goto(`${story.server.baseUrl}/console/explorer?operation=clients.create`);
    await tabTo(page, 'name (required)');
    await page.keyboard.type('By keys');
    await press('Run clients.create');
    expect((await api('/v1/clients')).body.data[0].name).toBe('By keys');
    await page.goto(`${story.server.baseUrl}/console/sandbox`);
    await press('Keep bodies');
    expect(await page.textContent('[role=status]')).toContain('Saved');
    await press('Act as member');
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('the Explorer works without script', async () => {
    const { page, api } = await signedInPage({ width: 1440, javaScriptEnabled: false });
    await page.goto(`${story.server.baseUrl}/console/explorer`);
    await page.selectOption('#operation', 'clients.create');
    await page.click('text=Open');
    await page.fill('[name="in.name"]', 'By hand');
    await page.click('text=Run clients.create');
    expect(await page.textContent('#answer')).toContain('201');
    expect((await api('/v1/clients')).body.data[0].name).toBe('By hand');
    await page.click('text=Open trace');
    expect(await page.title()).toContain('POST /v1/clients');
  });
});
