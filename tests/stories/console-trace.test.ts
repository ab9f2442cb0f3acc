import { HEADERS, type Trace } from '@plat/contract';
import { DELIVERY_ERROR_REFERENCE } from '@plat/contract/error-reference';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { expectAccessible, useBrowser } from '../support/browser.ts';
import { type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { hasChromium } from '../support/find-servers.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/* The page of a trace: from any id to the cause and the fix of a failed webhook. */

const story = useServer();
let receiver: Receiver;
let developer: SignedInDeveloper;
let api: Api;
let trace: Trace;
let failed: { readonly id: string; readonly delivery: { readonly event_id: string } };

const console_ = () => visitor(story.server.baseUrl, developer.session.cookie);
const pageOf = (text: string) => console_().get(`/console/trace?${new URLSearchParams({ id: text })}`);

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer((_req, res, { path }) => res.writeHead(path === '/ok' ? 204 : 500).end('<b>no table</b>'));
  developer = await signedInDeveloper(story.server);
  api = apiOf(story.server.baseUrl, developer.apiKey);
  for (const path of ['/ok', '/failing']) {
    await api('/v1/webhooks/endpoints', { body: { url: receiver.url + path, events: ['client.created'] } });
  }
  const created = await api('/v1/clients', { body: { name: 'Café <Nordlicht>' } });
  await receiver.waitFor(2);
  await story.server.idle();
  trace = (await api(`/v1/trace/${created.headers.get(HEADERS.requestId)}`)).body;
  const found = trace.entries.find((entry) => entry.id === trace.problems[0]?.entry_id);
  if (found?.kind !== 'attempt') throw new Error('no attempt failed');
  failed = found;
});
afterAll(() => receiver.close());

test('any id, address or slug of the chain leads to the cause, the fix and the timeline', async () => {
  for (const text of [...trace.entries.map(({ id }) => id), 'cafe-nordlicht']) {
    const { status, text: page } = await pageOf(text);
    expect(status, text).toBe(200);
    expect(page).toContain('The connection works, and the receiver answered with a status that is not 2xx.');
    for (const { id } of trace.entries) expect(page, text).toContain(`id="${id}"`);
    expect(page).toContain(`value="${text}"`);
    // The first cause has its date in the text: a phone shows no titles.
    const [day] = trace.entries[0]?.at.split('T') ?? [];
    expect(page, text).toMatch(new RegExp(`</time></b><time class="day" datetime="[^"]*">${day} UTC</time></div>`));
  }
  expect(DELIVERY_ERROR_REFERENCE.http_status.cause).toContain('The connection works');
});

test('a failure names the path of the endpoint: others of the same host have the event', async () => {
  expect((await pageOf(failed.id)).text).toContain(`${new URL(receiver.url).host}/failing has not received this event`);
});

test('text of the tenant and of receivers is escaped', async () => {
  const { text } = await pageOf(failed.id);
  expect(text).toContain('&lt;b&gt;no table&lt;/b&gt;');
  expect(text).not.toContain('<b>no table');
  const odd = await pageOf('"><script>alert(1)</script>');
  expect([odd.status, odd.text.includes('<script>alert')]).toEqual([404, false]);
});

test('a name leads to the search of clients, and a key is not shown again', async () => {
  const name = await pageOf('Café <N');
  expect([name.status, name.text]).toEqual([404, expect.stringContaining('/console/clients?search=Caf%C3%A9+%3CN"')]);
  const key = await pageOf(developer.apiKey);
  expect([key.status, key.text.includes(developer.apiKey)]).toEqual([404, false]);
  expect(key.text).toContain('If others can read that history, replace the secret');
});

test('the event is sent again from the page, to one endpoint or to all', async () => {
  const browser = console_();
  await browser.get(`/console/trace?id=${failed.id}`);
  const before = receiver.received.length;
  const fields = { _csrf: developer.session.csrfToken, event_id: failed.delivery.event_id };
  const { status, location } = await browser.post('/console/trace/replay', fields);
  expect([status, location]).toEqual([303, `/console/trace?id=${failed.delivery.event_id}`]);
  await receiver.waitFor(before + 2);
  const [newest] = (await api('/v1/audit/events?action=event.replayed')).body.data;
  expect(newest).toMatchObject({ actor: { type: 'developer' }, target: { id: failed.delivery.event_id } });
  const foreign = await visitor(story.server.baseUrl, developer.session.cookie).post('/console/trace/replay', {
    event_id: failed.delivery.event_id,
  });
  expect(foreign.status).toBe(403);
});

test('a signed-in user of the tenant sees it too; a user of another tenant sees nothing', async () => {
  const owner = (await api('/v1/users?role=owner')).body.data[0].id;
  const own = visitor(story.server.baseUrl, (await story.server.signInAdmin(owner)).cookie);
  expect((await own.get(`/trace?id=${failed.id}`)).text).toContain('Resend to this endpoint');
  // A member may read the request log and not the audit trail. The page names what it leaves out, and who has it.
  const { body: user } = await api('/v1/users?role=member');
  const member = visitor(story.server.baseUrl, (await story.server.signInAdmin(user.data[0].id)).cookie);
  const shown = (await member.get(`/trace?id=${failed.id}`)).text;
  expect(shown).toContain('Hidden from your role: changes, steps of grants. Roles with access: owner.');
  expect(shown).toMatch(/<dt>Requests<\/dt><dd>[12]</);
  expect(shown).not.toContain('<dt>Changes</dt>');
  const { ownerId } = await story.server.createTenant();
  const other = visitor(story.server.baseUrl, (await story.server.signInAdmin(ownerId)).cookie);
  expect((await other.get(`/trace?id=${failed.id}`)).status).toBe(404);
});

test('the first button leads to the endpoint while that is disabled, because a resend would be refused', async () => {
  const { body: attempt } = await api(`/v1/webhooks/deliveries/${failed.id}`);
  const endpoint = `/v1/webhooks/endpoints/${attempt.endpoint_id}`;
  await api(endpoint, { method: 'PATCH', body: { status: 'disabled' } });
  const { text } = await pageOf(failed.id);
  expect(text).toContain(
    `<a class="btn btn-primary" href="/console/webhooks/${attempt.endpoint_id}">Open endpoint</a>`,
  );
  expect(text).not.toContain('Resend to this endpoint');
  await api(endpoint, { method: 'PATCH', body: { status: 'enabled' } });
});

const isBrowserRun = hasChromium() && inject('database').kind === 'sqlite';
const browser = isBrowserRun ? useBrowser() : null;

test.runIf(isBrowserRun)(
  'in two steps: paste the id into the jump box, read the cause',
  async () => {
    const page = await browser?.newPage();
    if (!page) return;
    const [name = '', value = ''] = developer.session.cookie.split('=');
    await page.context().addCookies([{ name, value, url: story.server.baseUrl }]);
    await page.goto(`${story.server.baseUrl}/console`);
    await page.keyboard.press('/');
    await page.keyboard.type(failed.id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'has not received this event' }).waitFor();
    expect(await page.getByText('The connection works').isVisible()).toBe(true);
    for (const summary of await page.locator('details.more > summary').all()) await summary.click();
    if (process.env['SHOT']) await page.screenshot({ path: process.env['SHOT'], fullPage: true });
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessible(page);
  },
  120_000,
);

test('an attempt on a later day has its date', async () => {
  const { server } = story;
  await server.clock.advance({ seconds: 86_400 });
  const session = await server.signInDeveloper(developer.id);
  const { text } = await visitor(server.baseUrl, session.cookie).get(`/console/trace?id=${failed.id}`);
  const tomorrow = new Date(Date.parse(trace.entries[0]?.at ?? '') + 86_400_000).toISOString().slice(0, 10);
  expect(text).toContain(`">${tomorrow}</time></div>`);
});
