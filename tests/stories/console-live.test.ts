import { createTestServer, execute, selectOne } from '@plat/server/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { type EventReader, readEvents } from '../support/event-source.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

const HOSTILE = `"><img src=x onerror=alert(1)>`;

async function newDeveloper() {
  const { server } = story;
  const developer = await signedInDeveloper(server);
  const { cookie } = developer.session;
  const follow = async (query = '') => {
    const reader = await readEvents(`${server.baseUrl}/console/requests/tail${query}`, cookie);
    onTestFinished(() => reader.close());
    return reader;
  };
  return {
    developer,
    cookie,
    follow,
    api: apiOf(server.baseUrl, developer.apiKey),
    browser: visitor(server.baseUrl, cookie),
  };
}

const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? '';

/** The ids of the next entries. */
async function nextIds(reader: EventReader, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const sent = await reader.next();
    if (!sent) break;
    if (sent.event === 'request') ids.push(sent.data.id);
  }
  return ids;
}

describe('the live tail of the request log', () => {
  test('sends each new entry once, as a row of the table, with the filters of the page', async () => {
    const { api, follow, browser } = await newDeveloper();
    const first = idOf(await api('/v1/clients'));
    const [all, failed] = [await follow(), await follow('?outcome=failed&operation=clients.get')];
    expect([all.status, all.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await nextIds(all, 1)).toEqual([first]);
    const second = idOf(await api('/v1/me'));
    const third = idOf(await api('/v1/clients/unknown', { headers: { 'user-agent': HOSTILE } }));
    expect(await nextIds(all, 2)).toEqual([second, third]);
    const sent = await failed.next();
    expect(sent?.data.id).toBe(third);
    const row = sent?.data.html;
    expect((await browser.get('/console/requests?outcome=failed')).text.replaceAll(/<time.*?<\/time>/g, '')).toContain(
      row.replaceAll('&amp;operation=clients.get', '').replaceAll(/<time.*?<\/time>/g, ''),
    );
  });

  test('continues after the newest entry of the page, and shows what another process logged', async () => {
    const { api, follow, developer } = await newDeveloper();
    const first = idOf(await api('/v1/clients'));
    // The log is read: both entries are written.
    const second = idOf(await api('/v1/me'));
    await api('/v1/requests');
    const reader = await follow(`?after=${first}`);
    expect(await nextIds(reader, 1)).toEqual([second]);
    const other = await createTestServer({ databaseUrl: story.database.url, env: { PLAT_DISPATCH: 'false' } });
    onTestFinished(() => other.close());
    const elsewhere = idOf(await apiOf(other.baseUrl, developer.apiKey)('/v1/tenant'));
    expect(await nextIds(reader, 1)).toEqual([elsewhere]);
  });

  test('never shows an entry of another tenant, nor markup of a caller', async () => {
    const [mine, other] = [await newDeveloper(), await newDeveloper()];
    const reader = await mine.follow();
    await other.api('/v1/clients');
    const id = idOf(await mine.api(`/v1/clients/${encodeURIComponent(HOSTILE)}`));
    const sent = await reader.next();
    expect(sent?.data.id).toBe(id);
    expect(sent?.data.html).not.toContain('<img');
  });

  test('ends when the session ends, and when the role no longer allows it', async () => {
    const { server } = story;
    const developer = await newDeveloper();
    const reader = await developer.follow();
    await developer.browser.post('/console/sign-out', { _csrf: developer.developer.session.csrfToken });
    expect((await reader.next())?.event).toBe('end');
    expect(await reader.next()).toBeNull();
    const again = await developer.follow();
    expect([again.status, again.headers.get('location')]).toEqual([303, expect.stringContaining('/console/sign-in')]);

    const tenant = await server.createTenant();
    const session = await server.signInAdmin(tenant.ownerId);
    const owner = await readEvents(`${server.baseUrl}/requests/tail`, session.cookie);
    onTestFinished(() => owner.close());
    expect(owner.status).toBe(200);
    await execute(server.db, "UPDATE users SET role = 'viewer' WHERE id = :id", { id: tenant.ownerId });
    expect((await owner.next())?.event).toBe('end');
    const refused = await readEvents(`${server.baseUrl}/requests/tail`, session.cookie);
    onTestFinished(() => refused.close());
    expect(refused.status).toBe(403);
  });

  test('has a limit for one account, which leaving makes room in', async () => {
    const { follow } = await newDeveloper();
    const readers: EventReader[] = [];
    for (let i = 0; i < 20; i++) readers.push(await follow());
    expect((await follow()).status).toBe(429);
    readers[0]?.close();
    await expect.poll(async () => (await follow()).status).toBe(200);
  });

  test('serves 200 viewers of 20 tenants in one process', async () => {
    const worlds = await Promise.all(Array.from({ length: 20 }, newDeveloper));
    const readers = [];
    // One tenant after another: 200 requests at once are more than a busy machine admits.
    for (const world of worlds) {
      const own = await Promise.all(Array.from({ length: 10 }, () => world.follow()));
      readers.push(...own.map((reader) => ({ world, reader })));
    }
    expect(readers.map(({ reader }) => reader.status)).toEqual(Array(200).fill(200));
    const ids = new Map(
      await Promise.all(worlds.map(async (world) => [world, idOf(await world.api('/v1/me'))] as const)),
    );
    for (const { world, reader } of readers) expect(await nextIds(reader, 1)).toEqual([ids.get(world)]);
  });

  test('refuses a filter that is none, instead of beginning a stream that breaks', async () => {
    const { follow } = await newDeveloper();
    expect((await follow('?outcome=none')).status).toBe(400);
  });

  test('ends at once when the server stops', async () => {
    const server = await createTestServer();
    const { cookie } = (await signedInDeveloper(server)).session;
    const reader = await readEvents(`${server.baseUrl}/console/requests/tail`, cookie);
    const closed = server.close();
    expect((await reader.next())?.event).toBe('end');
    await closed;
  });
});

test.each(['constructor', '__proto__'])('the unknown age %s filters no list', async (since) => {
  const { browser } = await newDeveloper();
  for (const list of ['requests', 'events', 'audit']) {
    const { status, text } = await browser.get(`/console/${list}?since=${since}`);
    expect(status, list).toBe(200);
    expect(text, list).toContain('The list is shown without this filter.');
  }
  expect((await browser.get(`/console/audit/export.csv?since=${since}`)).status).toBe(400);
});

test('an event with more attempts than its page shows says so', async () => {
  const { api, browser } = await newDeveloper();
  await api('/v1/webhooks/endpoints', { body: { url: 'https://receiver.example/many', events: ['*'] } });
  await api('/v1/clients', { body: { name: 'Acme' } });
  const { body: events } = await api('/v1/webhooks/events');
  const { id } = events.data[0];
  const words = 'The latest 100 attempts. The trace has all.';
  for (let sent = 1; sent < 100; sent++) await api(`/v1/webhooks/events/${id}/replay`, { body: {} });
  expect((await browser.get(`/console/events/${id}`)).text).not.toContain(words);
  await api(`/v1/webhooks/events/${id}/replay`, { body: {} });
  expect((await browser.get(`/console/events/${id}`)).text).toContain(words);
});

describe('the jump box', () => {
  test('suggests objects by a part of a name, slug, address or id, and none of another tenant', async () => {
    const [mine, other] = [await newDeveloper(), await newDeveloper()];
    const { body: client } = await mine.api('/v1/clients', { body: { name: `Bolt & ${HOSTILE}`, slug: 'bolt-works' } });
    await other.api('/v1/clients', { body: { name: 'Bolt too' } });
    await mine.api('/v1/users', { body: { email: 'bolt@example.com', name: 'Bo', role: 'member' } });
    const suggested = async (text: string) =>
      JSON.parse((await mine.browser.get(`/console/trace/suggestions?${new URLSearchParams({ q: text })}`)).text);
    expect(await suggested('BOLT')).toEqual([
      { value: 'bolt-works', label: `Client: bolt-works · Bolt & ${HOSTILE}` },
      { value: 'bolt@example.com', label: 'User: bolt@example.com · Bo' },
    ]);
    expect(await suggested(client.id.slice(0, 20))).toEqual([{ value: client.id, label: client.id }]);
    for (const text of ['', 'b', '%', "'; --", 'cli_zzzz', HOSTILE.repeat(9)]) {
      const found = await suggested(text);
      expect(found.filter(({ label }: { label: string }) => /too/.test(label))).toEqual([]);
    }
    const row = await selectOne(story.server.db, 'SELECT id FROM clients WHERE id = :id', { id: client.id });
    expect(row).toEqual({ id: client.id });
  });

  test('suggests nothing to a role without traces', async () => {
    const { server } = story;
    const tenant = await server.createTenant();
    const { cookie } = await server.signInAdmin(tenant.ownerId);
    await execute(server.db, "UPDATE users SET role = 'viewer' WHERE id = :id", { id: tenant.ownerId });
    expect((await visitor(server.baseUrl, cookie).get('/trace/suggestions?q=te')).status).toBe(403);
  });
});
