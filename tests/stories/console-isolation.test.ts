import { ADMIN_PAGES, DEVELOPER_PAGES, select } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { type OpenConsole, openConsole } from '../support/console.ts';
import { pathOfPage } from '../support/console-pages.ts';
import { type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { createObjects } from '../support/every-operation.ts';
import { useServer } from '../support/story.ts';
import { withoutLastUse } from '../support/tenant-rows.ts';

/*
 * Opens every page of the console with the ids of another tenant, and as a suspended tenant. A new page is included
 * automatically. Visitors without a session and forged forms are in console.test.ts, roles in console-access.test.ts.
 */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>`;

interface Side {
  readonly developer: SignedInDeveloper;
  readonly ids: Readonly<Record<string, string>>;
  readonly asDeveloper: OpenConsole;
  readonly asOwner: OpenConsole;
}

let mine: Side;
let theirs: Side;
beforeAll(async () => {
  theirs = await newSide();
  mine = await newSide();
});

async function newSide(): Promise<Side> {
  const { server } = story;
  const developer = await signedInDeveloper(server);
  const api = apiOf(server.baseUrl, developer.apiKey);
  const ids = await createObjects(api, developer.tenantId);
  const app = await server.createApp({ developerId: developer.id });
  const { grantId } = await server.grant({ app, tenantId: developer.tenantId });
  const { body: owners } = await api('/v1/users?role=owner&status=active');
  return {
    developer,
    ids: { ...ids, app_id: app.appId, consent_id: grantId },
    asDeveloper: openConsole(server, developer.session),
    asOwner: openConsole(server, await server.signInAdmin(owners.data[0].id)),
  };
}

const withObject = (pages: readonly { readonly method: 'GET' | 'POST'; readonly path: string }[]) =>
  pages.filter(({ path }) => path.includes('/:') && pathOfPage(path, mine.ids) !== null);

const TABLES = ['clients', 'locations', 'client_groups', 'group_members', 'group_owners', 'users', 'roles', 'settings'];
const MORE = ['webhook_endpoints', 'webhook_deliveries', 'webhook_replays', 'api_keys', 'oauth_grants', 'audit_events'];

/** The rows of a tenant that the console could change. */
async function rowsOf({ developer: { tenantId } }: Side): Promise<string> {
  const sql = (table: string) => `SELECT * FROM ${table} WHERE tenant_id = :tenantId`;
  const rows = [...TABLES, ...MORE].map((table) => select<object>(story.server.db, sql(table), { tenantId }));
  return JSON.stringify((await Promise.all(rows)).map((ofTable) => ofTable.map(withoutLastUse)));
}

const FORM = {
  ...{ name: 'Taken over', title: 'Taken over', email: 'thief@example.com', role: 'owner', country: 'DE' },
  ...{ url: 'https://thief.example', 'event.*': 'on', status: 'disabled', expires_in: '0', type: 'client.created' },
};

describe('a page with an object', () => {
  test('is not found with the ids of another tenant, and changes nothing there', async () => {
    const before = await rowsOf(theirs);
    for (const [pages, who] of [
      [DEVELOPER_PAGES, mine.asDeveloper],
      [ADMIN_PAGES, mine.asOwner],
    ] as const) {
      const tried = withObject(pages);
      expect(tried.length).toBeGreaterThan(50);
      for (const { method, path } of tried) {
        const at = pathOfPage(path, theirs.ids) ?? '';
        const { status, text } = method === 'GET' ? await who.get(at) : await who.post(at, FORM);
        // More posts than a person makes in a minute are refused.
        expect(method === 'POST' ? [404, 429] : [404], `${method} ${path}`).toContain(status);
        expect(text, path).not.toContain(theirs.developer.tenantId);
      }
    }
    expect(await rowsOf(theirs)).toBe(before);
  });

  test('is not found below an object of another tenant, or for a foreign object below an own one', async () => {
    const [own, foreign] = [mine.ids, theirs.ids];
    for (const at of [
      `/clients/${own['client_id']}/locations/${foreign['location_id']}`,
      `/clients/${foreign['client_id']}/locations/${own['location_id']}`,
      `/groups/${own['group_id']}/locations/${own['location_id']}`,
      `/groups/${own['group_id']}/members/${foreign['client_id']}/delete`,
      `/groups/${own['group_id']}/owners/${foreign['user_id']}/delete`,
    ]) {
      expect((await mine.asOwner.get(at)).status, at).toBe(404);
    }
    const member = await mine.asOwner.post(`/groups/${own['group_id']}/members/new`, {
      client_id: foreign['client_id'] ?? '',
    });
    expect([member.status, member.text.includes('href="#client_id"')]).toEqual([404, true]);
  });
});

test('no list shows an object of another tenant', async () => {
  const foreign = [theirs.developer.tenantId, ...Object.values(theirs.ids)];
  for (const [pages, who] of [
    [DEVELOPER_PAGES, mine.asDeveloper],
    [ADMIN_PAGES, mine.asOwner],
  ] as const) {
    for (const { method, path } of pages) {
      if (method !== 'GET' || path.includes('/:') || path.endsWith('/tail')) continue;
      const { text } = await who.get(path);
      for (const id of foreign) expect(text, path).not.toContain(id);
    }
  }
});

test('nothing that a name, a title or a description contains becomes markup, on any page', async () => {
  const side = await newSide();
  const api = apiOf(story.server.baseUrl, side.developer.apiKey);
  const patch = async (path: string, body: object) => {
    const { status, body: answer } = await api(path, { method: 'PATCH', body });
    expect(status, JSON.stringify(answer)).toBe(200);
  };
  const { client_id: client, group_id: group, role_id: role, user_id: user, location_id: location } = side.ids;
  await patch(`/v1/clients/${client}`, { name: HOSTILE });
  await patch(`/v1/clients/${client}/locations/${location}`, { name: HOSTILE, address: `${HOSTILE}\n${HOSTILE}` });
  await patch(`/v1/groups/${group}`, { name: HOSTILE });
  await patch(`/v1/groups/${group}/locations/${side.ids['group_location_id']}`, { name: HOSTILE });
  await patch(`/v1/roles/${role}`, { title: HOSTILE, description: HOSTILE });
  await patch(`/v1/users/${user}`, { name: HOSTILE });
  await patch('/v1/tenant', { name: HOSTILE });
  await patch(`/v1/webhooks/endpoints/${side.ids['endpoint_id']}`, { description: HOSTILE });
  // The log of requests has the names of fields, too.
  const { status, headers } = await api('/v1/clients', { body: { name: 'Acme', [HOSTILE]: 1 } });
  expect(status).toBe(400);
  const ids = { ...side.ids, request_id: headers.get('x-request-id') ?? '' };
  let shown = 0;
  for (const [pages, who] of [
    [DEVELOPER_PAGES, side.asDeveloper],
    [ADMIN_PAGES, side.asOwner],
  ] as const) {
    for (const { method, path } of pages) {
      const at = pathOfPage(path, ids);
      if (method !== 'GET' || at === null || /\/(?:tail|export\.\w+)$/.test(path)) continue;
      for (const query of ['', `?search=${encodeURIComponent(HOSTILE)}&name=${encodeURIComponent(HOSTILE)}`]) {
        const { text } = await who.get(at + query);
        expect(text, path).not.toMatch(/<script>|<img|<[^>"]*"?[^>"]* onerror=/);
        if (text.includes('&lt;script&gt;alert')) shown++;
      }
    }
  }
  expect(shown).toBeGreaterThan(60);
});

test('a suspended tenant is still shown, and changes nothing', async () => {
  const side = await newSide();
  const { tenantId } = side.developer;
  await story.server.setTenantStatus(tenantId, 'suspended');
  const before = await rowsOf(side);
  expect((await side.asDeveloper.get('/console/clients')).status).toBe(200);
  // The users of a suspended tenant are signed out.
  expect((await side.asOwner.get('/clients')).location).toContain('/sign-in');
  let tried = 0;
  // Apps and logins belong to the developer; clock and faults to the server in development mode. The check of a key reads.
  const isOfTenant = (path: string) =>
    !/\/console\/(?:apps|cli|explorer|key\/check|sandbox\/(?:clock|faults))/.test(path);
  for (const { method, path } of DEVELOPER_PAGES) {
    const at = pathOfPage(path, side.ids);
    if (method !== 'POST' || at === null || !isOfTenant(path)) continue;
    const { status } = await side.asDeveloper.post(at, FORM);
    expect(status, path).toBeGreaterThanOrEqual(400);
    tried++;
  }
  expect(tried).toBeGreaterThan(20);
  expect(await rowsOf(side)).toBe(before);
});
