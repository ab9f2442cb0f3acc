import { ACCESS, ADMIN_PAGES, DEVELOPER_PAGES, execute } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { readEvents } from '../support/event-source.ts';
import { useServer } from '../support/story.ts';
import { type Visitor, visitor } from '../support/visitor.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

const ROLES = ['owner', 'member', 'viewer', 'other'] as const;
type Role = (typeof ROLES)[number];
type Room = keyof typeof ACCESS;

/** Rooms of every user. */
const OF_ALL = new Set<Room>(['home', 'modules', 'account']);
/** Rooms that only owners read. */
const OF_OWNERS = new Set<Room>(['audit', 'billing', 'key', 'consents']);

/** The rules of decision 057, written again: a test that read the table of the console would accept every change of it. */
function mayEnter(role: Role, room: Room, level: 'read' | 'change'): boolean {
  if (role === 'owner') return true;
  if (OF_ALL.has(room)) return room !== 'home' || level === 'read' || role === 'member';
  return role === 'member' && level === 'read' && !OF_OWNERS.has(room);
}

/** A tenant with a signed-in user of each role. `other` is a role of the tenant's own. */
async function usersByRole(): Promise<Record<Role, { browser: Visitor; csrfToken: string }>> {
  const { server } = story;
  const tenant = await server.createTenant();
  const api = apiOf(server.baseUrl, tenant.apiKey);
  await api('/v1/roles', { body: { name: 'shop_manager', title: 'Shop manager' } });
  const users: Partial<Record<Role, { browser: Visitor; csrfToken: string }>> = {};
  for (const role of ROLES) {
    const name = role === 'other' ? 'shop_manager' : role;
    const id = role === 'owner' ? tenant.ownerId : await activeUser(api, name);
    const { cookie, csrfToken } = await server.signInAdmin(id);
    users[role] = { browser: visitor(server.baseUrl, cookie), csrfToken };
  }
  return users as Record<Role, { browser: Visitor; csrfToken: string }>;
}

async function activeUser(api: Api, role: string): Promise<string> {
  const { body } = await api('/v1/users', { body: { email: `${role}@example.com`, name: role, role } });
  await execute(story.server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: body.id });
  return body.id;
}

/** A response that ends only when its reader leaves. */
async function statusOfStream(path: string, { cookies }: Visitor): Promise<{ status: number }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const reader = await readEvents(story.server.baseUrl + path, cookie);
  reader.close();
  return reader;
}

const UNKNOWN = 'req_01k0z8k3v7e5q2m9t4r6w1x8c0';

describe('what a role may do in a room is one table', () => {
  test('every page of a tenant refuses the roles that it does not name, and no other', async () => {
    const users = await usersByRole();
    for (const { room, within, needs, method, path, answers } of ADMIN_PAGES) {
      const at = path.replaceAll(/:\w+/g, UNKNOWN);
      for (const role of ROLES) {
        const { browser, csrfToken } = users[role];
        const { status } =
          answers === 'events'
            ? await statusOfStream(at, browser)
            : method === 'GET'
              ? await browser.get(at)
              : await browser.post(at, { _csrf: csrfToken });
        const level = needs ?? (method === 'GET' ? 'read' : 'change');
        const isAllowed = mayEnter(role, room, level) && (within === undefined || mayEnter(role, within, 'read'));
        expect(status === 403, `${method} ${path} as ${role}`).toBe(!isAllowed);
      }
    }
  });

  test('the page of an object shows no part of a room that the role may not read', async () => {
    const { server } = story;
    const tenant = await server.createTenant();
    const api = apiOf(server.baseUrl, tenant.apiKey);
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const { cookie } = await server.signInAdmin(await activeUser(api, 'member'));
    const member = visitor(server.baseUrl, cookie);
    const page = await member.get(`/clients/${client.id}`);
    expect(page.text).toContain(`/clients/${client.id}/events`);
    expect(page.text).not.toContain(`/clients/${client.id}/audit`);
    for (const path of [`/clients/${client.id}/audit`, '/settings/audit']) {
      const refused = await member.get(path);
      expect([refused.status, refused.text.includes('client.created')], path).toEqual([403, false]);
    }
    expect((await member.get('/settings')).text).not.toContain('Every change');
    const owner = visitor(server.baseUrl, (await server.signInAdmin(tenant.ownerId)).cookie);
    expect((await owner.get(`/clients/${client.id}/audit`)).text).toContain('client.created');
  });

  test('the navigation shows a role the rooms that it may open', async () => {
    const users = await usersByRole();
    for (const role of ROLES) {
      const { text } = await users[role].browser.get('/');
      const links = [...text.matchAll(/class="nav-link" href="([^"]*)"/g)].map(([, href]) => href ?? '');
      expect(links.length).toBeGreaterThan(1);
      for (const href of links) expect((await users[role].browser.get(href)).status, `${role} ${href}`).toBe(200);
      expect(links.includes('/requests'), role).toBe(mayEnter(role, 'requests', 'read'));
    }
  });

  test('a developer may open every page of the console', async () => {
    for (const { room } of DEVELOPER_PAGES) expect(ACCESS[room].developer, room).not.toBe('none');
  });
});

test('a user of two tenants switches without signing out, and to no tenant of another person', async () => {
  const { server } = story;
  const ownerEmail = 'two@example.com';
  const mine = await server.createTenant({ ownerEmail, sandbox: false });
  const other = await server.createTenant({ ownerEmail });
  const foreign = await server.createTenant();
  const suspended = await server.createTenant({ ownerEmail });
  await server.setTenantStatus(suspended.tenantId, 'suspended');
  const { cookie, csrfToken } = await server.signInAdmin(mine.ownerId);
  const browser = visitor(server.baseUrl, cookie);
  for (const { ownerId: user_id } of [foreign, suspended]) {
    expect((await browser.post('/tenants', { _csrf: csrfToken, user_id })).status).toBe(404);
  }
  expect((await browser.get('/tenants')).text).toContain(`value="${other.ownerId}"`);
  const switched = await browser.post('/tenants', { _csrf: csrfToken, user_id: other.ownerId });
  expect([switched.status, switched.location]).toEqual([303, '/']);
  expect((await browser.get('/')).text).toContain(other.tenantId);
  // The new tenant's trail names the sign-in, and so does a change that is made in it.
  expect((await browser.post('/clients/new', { name: 'Acme' })).status).toBe(303);
  const trailOf = async (query = '') =>
    (await apiOf(server.baseUrl, other.apiKey)(`/v1/audit/events${query}`)).body.data;
  const [created, signedIn] = await trailOf();
  expect(signedIn).toMatchObject({ action: 'user.signed_in', session_id: expect.stringMatching(/^ses_/) });
  expect(created).toMatchObject({ action: 'client.created', session_id: signedIn.session_id });
  expect(await trailOf(`?session_id=${signedIn.session_id}`)).toEqual([created, signedIn]);
  const trace = await browser.get(`/trace?id=${signedIn.session_id}`);
  for (const { id } of [created, signedIn]) expect(trace.text).toContain(`id="${id}"`);
  expect((await browser.get(`/audit/${created.id}`)).text).toContain(`/audit?session_id=${signedIn.session_id}"`);
});

test('a developer sees only requests of the own sandbox', async () => {
  const { server } = story;
  const [mine, other] = [await signedInDeveloper(server), await signedInDeveloper(server)];
  const { headers } = await apiOf(server.baseUrl, other.apiKey)('/v1/clients/x');
  const id = headers.get('x-request-id') ?? '';
  const browser = visitor(server.baseUrl, mine.session.cookie);
  const owner = visitor(server.baseUrl, other.session.cookie);
  await expect.poll(async () => (await owner.get(`/console/requests/${id}`)).status).toBe(200);
  expect((await browser.get(`/console/requests/${id}`)).status).toBe(404);
  expect((await browser.get('/console/requests')).text).not.toContain(id);
});

test('an owner of a production tenant, whose log has no successful requests, sees which steps have happened', async () => {
  const { server } = story;
  const { ownerId, apiKey } = await server.createTenant({ sandbox: false });
  const owner = visitor(server.baseUrl, (await server.signInAdmin(ownerId)).cookie);
  expect((await owner.get('/')).text).toContain('0 of 5 done');
  expect((await apiOf(server.baseUrl, apiKey)('/v1/clients', { body: { name: 'Acme' } })).status).toBe(201);
  await expect
    .poll(async () => (await owner.get('/')).text)
    .toMatch(/<li class="done"><b>Make a request<[\s\S]*<li class="done"><b>Create a client</);
  const { text } = await owner.get('/requests');
  expect(text).toContain('No requests in the log');
  expect(text).toContain('refused and failed requests of a production tenant');
  // No command of an empty room changes live data.
  expect((await owner.get('/events')).text).not.toContain('plat trigger');
});
