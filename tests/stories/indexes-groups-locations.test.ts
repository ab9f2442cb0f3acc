import { createHash } from 'node:crypto';
import { newId, unitOfWork } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/** Enough rows that a plan without an index would not be chosen by accident. */
const ROWS = 3000;

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let api: Api;
let ownerId: string;
let groups: string[];
let clients: string[];
let users: string[];
let locations: string[];

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  const { apiKey, tenantId } = tenant;
  ({ ownerId } = tenant);
  api = apiOf(story.server.baseUrl, apiKey);
  const { db } = story.server;
  const { models } = db;
  const at = Date.now();
  const instants = { tenant_id: tenantId, created_at: at, updated_at: at };
  const ids = (kind: 'group' | 'client' | 'user' | 'location') => Array.from({ length: ROWS }, () => newId(kind));
  [groups, clients, users, locations] = [ids('group'), ids('client'), ids('user'), ids('location')];
  // The first group and the first client have a tenth of the rows, the others have the rest.
  const ownerOf = (ids: readonly string[], i: number) => ids[i % 10 ? i : 0] ?? '';
  await unitOfWork(db, async (transaction) => {
    const client = (id: string, i: number) => ({ ...instants, id, name: `C${i}`, slug: `c-${i}`, custom_domain: null });
    await models.client.bulkCreate(
      clients.map((id, i) => ({ ...client(id, i), status: 'active' as const })),
      { transaction },
    );
    await models.group.bulkCreate(
      groups.map((id, i) => ({
        ...instants,
        id,
        name: `G${i}`,
        slug: `g-${i}`,
        membership_policy: 'open' as const,
        member_count: 1,
      })),
      { transaction },
    );
    await models.groupMember.bulkCreate(
      clients.map((client_id, i) => ({ ...instants, group_id: ownerOf(groups, i), client_id })),
      { transaction },
    );
    await models.user.bulkCreate(
      users.map((id, i) => ({
        ...instants,
        id,
        email: i === 0 ? 'oldest@example.com' : `${i}@example.com`,
        email_hash: createHash('sha256')
          .update(i === 0 ? 'oldest@example.com' : id)
          .digest(),
        name: null,
        role: 'viewer',
        status: 'active' as const,
        client_id: null,
        location_id: null,
        activated_at: at,
        deactivated_at: null,
        invitation_hash: null,
        invitation_expires_at: null,
      })),
      { transaction },
    );
    await models.groupOwner.bulkCreate(
      users.map((user_id, i) => ({ ...instants, group_id: ownerOf(groups, i), user_id })),
      { transaction },
    );
    await models.location.bulkCreate(
      locations.map((id, i) => ({
        ...instants,
        id,
        owner_id: ownerOf(i % 20 ? clients : groups, i),
        default_of: null,
        name: `L${i}`,
        address: null,
        timezone: 'UTC',
        country: 'DE',
      })),
      { transaction },
    );
  });
  if (story.database.kind !== 'sqlite') {
    await db.sequelize.query('ANALYZE TABLE clients, client_groups, group_members, group_owners, users, locations');
  }
});

test.each([
  ['groups', () => '/v1/groups', 2],
  ['groups, from the middle', () => `/v1/groups?starting_after=${groups[ROWS / 2]}`, 2],
  ['groups, backwards', () => `/v1/groups?ending_before=${groups[ROWS / 2]}`, 2],
  ['members', () => `/v1/groups/${groups[0]}/members`, 3],
  ['members, from the middle', () => `/v1/groups/${groups[0]}/members?starting_after=${clients[ROWS / 2]}`, 3],
  ['members, backwards', () => `/v1/groups/${groups[0]}/members?ending_before=${clients[ROWS / 2]}`, 3],
  ['owners', () => `/v1/groups/${groups[0]}/owners`, 3],
  ['owners, from the middle', () => `/v1/groups/${groups[0]}/owners?starting_after=${users[ROWS / 2]}`, 3],
  ['owners, backwards', () => `/v1/groups/${groups[0]}/owners?ending_before=${users[ROWS / 2]}`, 3],
  ['locations of a client', () => `/v1/clients/${clients[0]}/locations`, 3],
  ['locations of a group', () => `/v1/groups/${groups[0]}/locations`, 3],
  ['locations, from the middle', () => `/v1/groups/${groups[0]}/locations?starting_after=${locations[ROWS / 2]}`, 3],
  ['locations, backwards', () => `/v1/groups/${groups[0]}/locations?ending_before=${locations[ROWS / 2]}`, 3],
  ['one member', () => `/v1/groups/${groups[0]}/members/${clients[0]}`, 3],
  ['one owner', () => `/v1/groups/${groups[0]}/owners/${users[0]}`, 3],
])('%s reads an index in its order: no full scan, no sorting', async (_title, path, count) => {
  const plans = await plansOf(story.server, async () => {
    const { status, body } = await api(path());
    expect(status).toBe(200);
    if (body.object === 'list') expect(body.data.length).toBeGreaterThan(0);
  });
  expect(plans).toHaveLength(count);
  for (const [statement, plan] of plans) expectGood(statement, plan);
});

test('the groups of a client on its page are read by an index', async () => {
  const { server } = story;
  const { get } = visitor(server.baseUrl, (await server.signInAdmin(ownerId)).cookie);
  const plans = await plansOf(server, async () => {
    expect((await get(`/clients/${clients[1]}/groups`)).text).toContain('>G1<');
  });
  const own = [...plans].filter(([statement]) => /FROM (?:group_members|`?client_groups)/.test(statement));
  expect(own).toHaveLength(2);
  for (const [statement, plan] of own) expectGood(statement, plan);
});

test('the jump box finds old objects by slug and e-mail address, and reads indexes in their order', async () => {
  const { server } = story;
  const { get } = visitor(server.baseUrl, (await server.signInAdmin(ownerId)).cookie);
  const suggested = async (text: string) =>
    JSON.parse((await get(`/trace/suggestions?${new URLSearchParams({ q: text })}`)).text);
  const plans = await plansOf(server, async () => {
    expect(await suggested('C-12')).toEqual(
      ['c-12', 'c-120', 'c-1200', 'c-1201', 'c-1202'].map((slug) => ({
        value: slug,
        label: `Client: ${slug} · ${slug.replace('c-', 'C')}`,
      })),
    );
    expect((await suggested('g-7'))[0]).toEqual({ value: 'g-7', label: 'Group: g-7 · G7' });
    expect(await suggested('Oldest@example.com')).toEqual([
      { value: 'oldest@example.com', label: 'User: oldest@example.com' },
    ]);
  });
  for (const [statement, plan] of plans.filter(([one]) => one.includes('slug >=') || one.includes('users_email'))) {
    expectGood(statement, plan);
  }
});

test('the rows that a delete removes are found by an index', async () => {
  const path = `/v1/clients/${clients[1]}/locations`;
  const calls = [
    () => api(path, { body: { name: 'New', country: 'DE', default: true } }),
    async () => {
      const { body } = await api(path, { body: { name: 'Gone', country: 'DE' } });
      return api(`${path}/${body.id}`, { method: 'DELETE' });
    },
    () => api(`/v1/clients/${clients[0]}`, { method: 'DELETE' }),
    () => api(`/v1/groups/${groups[0]}`, { method: 'DELETE' }),
  ];
  for (const call of calls) {
    const plans = await plansOf(story.server, async () => expect((await call()).status).toBeLessThan(300));
    for (const [statement, plan] of plans) expectGood(statement, plan);
  }
});

function expectGood(statement: string, plan: string): void {
  // The count of a quota reads all rows of the tenant, up to the quota, and only after many creates.
  if (statement.includes('counted_rows')) return;
  // An UPDATE of the column that its rows are found by has to store them first.
  const known = statement.startsWith('UPDATE') ? plan.replaceAll('Using temporary', '') : plan;
  expect(known, statement).not.toMatch(BAD_PLAN);
  // A key that begins with the tenant always fits: what asks for less is not to read all that the tenant has. SQLite
  // takes a tenant to be small, having no statistics, and what goes along with a delete may be looked for that way.
  const mayScanTenant = story.database.kind === 'sqlite' && !statement.startsWith('SELECT');
  if (!mayScanTenant && /tenant_id = '\w+' AND (?!id <>)/.test(statement)) {
    expect(plan, statement).not.toMatch(/\(tenant_id=\?\)|"key_len":"?30\b/);
  }
}
