import { type ErrorCode, LIMITS, type QuotaName } from '@plat/contract';
import { captureStatements } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { login, signedInDeveloper } from '../support/developer.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

const NAMES = Object.keys(LIMITS.quotas) as QuotaName[];
const MOST = 4;
const sandboxQuotas = NAMES.map((name) => `${name}=${MOST}`).join();
const story = useServer({
  env: {
    PLAT_DISPATCH: 'false',
    PLAT_SANDBOX_QUOTAS: sandboxQuotas,
    PLAT_QUOTAS: 'clients=30',
    PLAT_SANDBOX_WRITES: '200',
  },
});

async function newTenant(sandbox: boolean) {
  const { tenantId, ownerId, apiKey } = await story.server.createTenant({ sandbox });
  return { tenantId, ownerId, api: apiOf(story.server.baseUrl, apiKey) };
}

let serial = 0;
const next = () => ++serial;
const made = async (api: Api, path: string, body: object) => (await api(path, { body })).body;

/** Apps are registered by their developer, outside /v1. */
type QuotaOfV1 = Exclude<QuotaName, 'apps'>;

/**
 * Quota → a function that creates one more object in a tenant with one client and one group, and how many there are.
 */
const MAKERS: Readonly<
  Record<QuotaOfV1, { readonly have: number; make(api: Api, to: { client: string; group: string }): ReturnType<Api> }>
> = {
  clients: { have: 1, make: (api) => api('/v1/clients', { body: { name: 'Acme' } }) },
  groups: { have: 1, make: (api) => api('/v1/groups', { body: { name: 'North' } }) },
  group_members: {
    have: 0,
    make: async (api, { client }) => {
      const { body: group } = await api('/v1/groups', { body: { name: 'Of one' } });
      return api(`/v1/groups/${group.id}/members`, { body: { client_id: client } });
    },
  },
  group_owners: {
    have: 0,
    make: async (api) => {
      const { body: group } = await api('/v1/groups', { body: { name: 'Owned' } });
      return api(`/v1/groups/${group.id}/owners`, { body: { email: 'owner@example.com' } });
    },
  },
  users: { have: 1, make: (api) => api('/v1/users', { body: { email: `u-${next()}@example.com`, role: 'viewer' } }) },
  locations: {
    have: 0,
    make: (api, { client }) =>
      api(`/v1/clients/${client}/locations`, { body: { name: 'Here', timezone: 'UTC', country: 'CH' } }),
  },
  roles: { have: 0, make: (api) => api('/v1/roles', { body: { name: `role_${next()}`, title: 'Role' } }) },
  webhook_endpoints: {
    have: 0,
    make: (api) =>
      api('/v1/webhooks/endpoints', { body: { url: `https://hooks.example/${next()}`, events: ['client.created'] } }),
  },
};
const CODES: { readonly [N in QuotaName]?: ErrorCode } = { webhook_endpoints: 'WEBHOOK_ENDPOINT_LIMIT' };
const MAKES_GROUPS: readonly QuotaName[] = ['group_members', 'group_owners'];

describe('a sandbox', () => {
  test.each(Object.keys(MAKERS) as QuotaOfV1[])('has no more %s than its quota', async (name) => {
    const { api, tenantId } = await newTenant(true);
    if (MAKES_GROUPS.includes(name))
      await operate(story.database.url, 'tenants', 'quotas', tenantId, '--set', 'groups=99');
    const to = {
      client: (await made(api, '/v1/clients', { name: 'Acme' })).id,
      group: (await made(api, '/v1/groups', { name: 'North' })).id,
    };
    const { have, make } = MAKERS[name];
    for (let i = have; i < MOST; i++) expect((await make(api, to)).status).toBe(201);
    const refused = await make(api, to);
    expectRefusal(refused, CODES[name] ?? 'QUOTA_EXCEEDED');
    expect(refused.status).toBe(422);
    expect(refused.body.message).toMatch(new RegExp(`quota of ${MOST} .*\\(${name}\\).*reset the sandbox`));
  });

  test('has no more apps than its quota, which the operator sets', async () => {
    const developer = await signedInDeveloper(story.server);
    const { api } = await login(story.server, developer);
    const body = { name: 'Ledger', redirect_uris: ['https://app.example/callback'], scopes: ['me:read'] };
    for (let i = 0; i < MOST; i++) expect((await api('/developer/v1/apps', { body })).status).toBe(201);
    expectRefusal(await api('/developer/v1/apps', { body }), 'APP_LIMIT');
    const another = await login(story.server, await signedInDeveloper(story.server));
    expect((await another.api('/developer/v1/apps', { body })).status).toBe(201);
    await operate(story.database.url, 'tenants', 'quotas', developer.tenantId, '--set', `apps=${MOST + 1}`);
    expect((await api('/developer/v1/apps', { body })).status).toBe(201);
  });

  test('reaches its quota exactly, however many calls come at once, and has the same in the console', async () => {
    const { api, ownerId } = await newTenant(true);
    const answers = await Promise.all(Array.from({ length: 20 }, () => api('/v1/clients', { body: { name: 'Acme' } })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MOST);
    const { cookie, csrfToken: _csrf } = await story.server.signInAdmin(ownerId);
    const refused = await visitor(story.server.baseUrl, cookie).post('/clients/new', { _csrf, name: 'Acme' });
    expect(refused.status).toBe(422);
    expect((await api('/v1/clients')).body.data).toHaveLength(MOST);
  });

  test('may create again when it has deleted something', async () => {
    const { api } = await newTenant(true);
    const make = () => api('/v1/clients', { body: { name: 'Acme' } });
    const { body: first } = await make();
    for (let i = 1; i < MOST; i++) await make();
    expectRefusal(await make(), 'QUOTA_EXCEEDED');
    await api(`/v1/clients/${first.id}`, { method: 'DELETE' });
    expect((await make()).status).toBe(201);
  });

  test('that invites an unknown owner of a group needs quota for a user', async () => {
    const { api } = await newTenant(true);
    for (let i = 1; i < MOST; i++) await MAKERS.users.make(api, { client: '', group: '' });
    const { id } = await made(api, '/v1/groups', { name: 'North' });
    expectRefusal(await api(`/v1/groups/${id}/owners`, { body: { email: 'new@example.com' } }), 'QUOTA_EXCEEDED');
    expect((await api(`/v1/groups/${id}/owners`, { body: { email: 'owner@example.com' } })).status).toBe(201);
  });

  test('has a limit of changes per day, over all its credentials; reads still work', async () => {
    const { api, tenantId } = await newTenant(true);
    const app = await story.server.createApp();
    const { tokens } = await story.server.grantTokens({ app, tenantId });
    const byApp = apiOf(story.server.baseUrl, tokens.access_token);
    const { id } = await made(api, '/v1/clients', { name: 'Acme' });
    const change = (by: Api) => by(`/v1/clients/${id}`, { method: 'PATCH', body: { name: 'Acme' } });
    for (let i = 1; i < 200; i++) expect((await change(i % 2 ? api : byApp)).status).toBe(200);
    for (const by of [api, byApp]) {
      const refused = await change(by);
      expectRefusal(refused, 'RATE_LIMITED');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await by(`/v1/clients/${id}`)).status).toBe(200);
      expect((await by(`/v1/clients/${id}`, { method: 'HEAD' })).status).toBe(200);
    }
    const other = await newTenant(true);
    expect((await other.api('/v1/clients', { body: { name: 'Acme' } })).status).toBe(201);
  });

  test('has as many changes by the logins of its developer, which the key cannot use up', async () => {
    const { server } = story;
    const { tenantId, apiKey } = await server.createSandbox();
    const logins = await Promise.all([1, 2].map(async () => server.mintDeveloperToken(tenantId)));
    const [first, second] = logins.map((token) => apiOf(server.baseUrl, token));
    if (!first || !second) throw new Error('there are two logins');
    const register = { name: 'Sync', redirect_uris: ['https://app.example/callback'], scopes: ['me:read'] };
    const { body: app } = await first('/developer/v1/apps', { body: register });
    const rotate = (by: Api) => by(`/developer/v1/apps/${app.id}/rotate_secret`, { body: {} });
    for (let i = 1; i < 200; i++) expect((await rotate(i % 2 === 0 ? first : second)).status).toBe(200);
    for (const by of [first, second]) expectRefusal(await rotate(by), 'RATE_LIMITED');
    expect((await first(`/developer/v1/apps/${app.id}`)).status).toBe(200);
    expect((await first('/developer/v1/tokens/current', { method: 'DELETE' })).status).toBe(200);
    expect((await apiOf(server.baseUrl, apiKey)('/v1/clients', { body: { name: 'Acme' } })).status).toBe(201);
  });

  test('does not count refused changes of a credential without the scope', async () => {
    const { api, tenantId } = await newTenant(true);
    const app = await story.server.createApp({ scopes: ['clients:read'] });
    const { tokens } = await story.server.grantTokens({ app, tenantId });
    const byApp = apiOf(story.server.baseUrl, tokens.access_token);
    const create = (by: Api) => by('/v1/clients', { body: { name: 'Acme' } });
    for (let i = 0; i < 200; i++) expectRefusal(await create(byApp), 'INSUFFICIENT_SCOPE');
    expect((await create(api)).status).toBe(201);
  });
});

describe('a production tenant', () => {
  test('has the quotas of its tier, which most creates pass without a count', async () => {
    const { api } = await newTenant(false);
    const make = () => api('/v1/clients', { body: { name: 'Acme' } });
    const statements = await captureStatements(story.server.db, async () => {
      for (let i = 0; i < 3; i++) await make();
    });
    expect(statements.filter((statement) => statement.includes('counted_rows'))).toHaveLength(2);
    for (let i = 3; i < 30; i++) expect((await make()).status).toBe(201);
    expectRefusal(await make(), 'QUOTA_EXCEEDED');
  });

  test('reaches its quota exactly, however many calls come at once', async () => {
    const { api } = await newTenant(false);
    const answers = await Promise.all(Array.from({ length: 40 }, () => api('/v1/clients', { body: { name: 'Acme' } })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(30);
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
  });
});

describe('the operator', () => {
  test('sees the usage, sets another quota for a tenant and resets it, with audit events', async () => {
    const { api, tenantId } = await newTenant(true);
    const make = () => api('/v1/clients', { body: { name: 'Acme' } });
    for (let i = 0; i < MOST; i++) await make();
    expectRefusal(await make(), 'QUOTA_EXCEEDED');
    const run = (...args: string[]) => operate(story.database.url, 'tenants', 'quotas', tenantId, ...args);
    const { json: raised } = await run('--set', 'clients=5, users=0');
    expect(raised).toContainEqual({ quota: 'clients', used: MOST, limit: 5, default: LIMITS.quotas.clients.sandbox });
    await run('--set', 'groups=9');
    expect((await make()).status).toBe(201);
    expectRefusal(await make(), 'QUOTA_EXCEEDED');
    expectRefusal(await MAKERS.users.make(api, { client: '', group: '' }), 'QUOTA_EXCEEDED');
    const { json: back } = await run('--set', 'clients=default,users=default');
    expect(back).toContainEqual({
      quota: 'users',
      used: 1,
      limit: LIMITS.quotas.users.sandbox,
      default: LIMITS.quotas.users.sandbox,
    });
    expect((await MAKERS.users.make(api, { client: '', group: '' })).status).toBe(201);
    const { body: audit } = await api('/v1/audit/events?action=tenant.quotas_changed');
    expect(audit.data[2]).toMatchObject({
      actor: { type: 'operator' },
      changes: { quotas: { before: {}, after: { clients: 5, users: 0 } } },
    });
  });

  test.each([['clients'], ['clients=-1'], ['cliens=5'], ['clients=5,,']])(
    'gets an error for the invalid quota %j',
    async (given) => {
      const { tenantId } = await newTenant(true);
      const { code, stderr } = await operate(story.database.url, 'tenants', 'quotas', tenantId, '--set', given);
      expect(code).toBe(1);
      expect(stderr).toContain('--set requires name=number');
    },
  );
});
