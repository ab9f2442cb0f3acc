import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestServer, execute, select, type TestServer } from '@plat/server/testing';
import { pino } from 'pino';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { login, signedInDeveloper } from '../support/developer.ts';
import { dumpOf } from '../support/dump.ts';
import { fetchKeys, isSignedBy, type LaunchWorld, launchWorld, readToken, setPlan } from '../support/launch.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Each command of the operator is a process. */
vi.setConfig({ testTimeout: 90_000 });

const PLAT_MASTER_KEY = randomBytes(32).toString('base64');
let now = Date.parse('2026-05-01T12:00:00.700Z');
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });
let world: LaunchWorld;

beforeAll(async () => {
  world = await launchWorld(story.server);
});

const ANALYTICS = 'analytics';

/** Launches the owner into the first client by default. */
async function launch(changes: Partial<Parameters<TestServer['launch']>[0]> = {}): Promise<string> {
  const { tenantId, ownerId, clients } = world;
  return story.server.launch({ tenantId, userId: ownerId, clientId: clients[0], moduleSlug: ANALYTICS, ...changes });
}
const claimsOf = async (changes: Parameters<typeof launch>[0] = {}) => readToken(await launch(changes)).claims;
const refusal = async (changes: Parameters<typeof launch>[0]) =>
  launch(changes).then(
    () => 'issued',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
const run = (...args: string[]) => operate({ DATABASE_URL: story.database.url, PLAT_MASTER_KEY }, ...args);
const newUser = async (fields: object, status = 'active') => {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const { body } = await world.api('/v1/users', { body: { email, role: 'member', ...fields } });
  await execute(story.server.db, 'UPDATE users SET status = :status WHERE id = :id', { status, id: body.id });
  return String(body.id);
};

describe('a launch token', () => {
  test('has the claims of the specification and no others, and is signed by a key of the published set', async () => {
    const token = await launch({ groupId: world.groupId });
    const { header, claims } = readToken(token);
    const iat = Math.floor(now / 1000);
    expect(claims).toEqual({
      iss: story.server.baseUrl,
      aud: 'analytics',
      iat,
      exp: iat + 900,
      jti: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      tenant: world.tenantId,
      client: world.clients[0],
      user: world.ownerId,
      role: 'owner',
      entitlements: ['analytics:read', 'loyalty:read', 'orders:manage', 'orders:read'],
      groupId: world.groupId,
      groupMemberships: [{ id: world.groupId, name: 'Harbour', isOwner: false }],
    });
    const keys = await fetchKeys(story.server);
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT', kid: keys.keys[0]?.kid });
    expect(isSignedBy(keys, token)).toBe(true);
    const [head, , signature] = token.split('.');
    const other = Buffer.from(JSON.stringify({ ...claims, role: 'viewer' })).toString('base64url');
    expect(isSignedBy(keys, `${head}.${other}.${signature}`)).toBe(false);
  });

  test('without a selected group has none; groups of its client and groups that the user owns are distinguished', async () => {
    const { body: owned } = await world.api('/v1/groups', { body: { name: 'Own' } });
    const { body: both } = await world.api('/v1/groups', { body: { name: 'Both' } });
    const { body: apart } = await world.api('/v1/groups', { body: { name: 'Apart' } });
    const { body: member } = await world.api(`/v1/users/${world.memberId}`);
    for (const { id } of [owned, both]) {
      await world.api(`/v1/groups/${id}/owners`, { body: { email: member.email } });
    }
    await world.api(`/v1/groups/${both.id}/members`, { body: { client_id: world.clients[1] } });
    const claims = await claimsOf({ userId: world.memberId, clientId: world.clients[1] });
    expect(claims).not.toHaveProperty('groupId');
    const groups = [
      { id: world.groupId, name: 'Harbour', isOwner: false },
      { id: owned.id, name: 'Own', isOwner: true },
      { id: both.id, name: 'Both', isOwner: true },
    ];
    // The order of ids: the seeded group may have the same millisecond as the others.
    expect(claims.groupMemberships).toEqual(groups.sort((a, b) => (a.id < b.id ? -1 : 1)));
    expect((await claimsOf({ userId: world.memberId, groupId: owned.id })).groupId).toBe(owned.id);
    expect(await refusal({ userId: world.memberId, groupId: apart.id })).toBe('UNPROCESSABLE');
    const { body: lonely } = await world.api('/v1/clients', { body: { name: 'Lonely' } });
    expect((await claimsOf({ clientId: lonely.id })).groupMemberships).toEqual([]);
  });

  test('leaves out a list of groups that would make it longer than receivers accept', async () => {
    const crowded = await launchWorld(story.server);
    const { body: client } = await crowded.api('/v1/clients', { body: { name: 'Crowded' } });
    const groups: string[] = [];
    for (let i = 0; i < 60; i++) {
      const { body } = await crowded.api('/v1/groups', { body: { name: `${'ü'.repeat(190)} ${i}` } });
      await crowded.api(`/v1/groups/${body.id}/members`, { body: { client_id: client.id } });
      groups.push(body.id);
    }
    const { tenantId, ownerId: userId } = crowded;
    const token = await launch({ tenantId, userId, clientId: client.id, groupId: groups[7] });
    expect(token.length).toBeLessThan(16 * 1024);
    expect(readToken(token).claims).not.toHaveProperty('groupMemberships');
    expect(readToken(token).claims.groupId).toBe(groups[7]);
    for (const id of groups.slice(20)) await crowded.api(`/v1/groups/${id}`, { method: 'DELETE' });
    const fitting = await launch({ tenantId, userId, clientId: client.id });
    expect(readToken(fitting).claims.groupMemberships).toHaveLength(20);
  });

  test('has the lifetime of the settings of the tenant', async () => {
    await world.api('/v1/settings', { method: 'PATCH', body: { launch_token_ttl_seconds: 60 } });
    const { iat, exp } = await claimsOf();
    expect(exp - iat).toBe(60);
    await world.api('/v1/settings', { method: 'PATCH', body: { launch_token_ttl_seconds: 900 } });
  });

  test('names PLAT_ISSUER as its issuer where it is set', async () => {
    const env = { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY, PLAT_ISSUER: 'https://id.plat.example/' };
    const server = await createTestServer({ databaseUrl: story.database.url, env });
    try {
      const { tenantId, ownerId: userId, clients } = world;
      const token = await server.launch({ tenantId, userId, clientId: clients[0], moduleSlug: ANALYTICS });
      expect(readToken(token).claims.iss).toBe('https://id.plat.example/');
    } finally {
      await server.close();
    }
  });
});

describe('entitlements are those that plan, client and role have in common', () => {
  const entitlements = async (changes: Parameters<typeof launch>[0] = {}) => (await claimsOf(changes)).entitlements;

  test('the plan of the tenant limits them', async () => {
    const { server } = story;
    await setPlan(server, world.tenantId, 'starter');
    expect(await entitlements()).toEqual(['orders:manage', 'orders:read']);
    await setPlan(server, world.tenantId, 'none of them');
    expect(await entitlements()).toEqual([]);
    await setPlan(server, world.tenantId, 'scale');
    expect(await entitlements()).toEqual([
      'analytics:export',
      'analytics:read',
      'loyalty:manage',
      'loyalty:read',
      'orders:manage',
      'orders:read',
    ]);
    await setPlan(server, world.tenantId, 'growth');
  });

  test('the role limits them: a viewer gets those that read, a role of the tenant those that it names, within the plan', async () => {
    expect(await entitlements({ userId: world.viewerId })).toEqual(['analytics:read', 'loyalty:read', 'orders:read']);
    const capabilities = ['orders:manage', 'analytics:read', 'analytics:export'];
    await world.api('/v1/roles', { body: { name: 'clerk', title: 'Clerk', capabilities } });
    const clerk = await newUser({ role: 'clerk' });
    expect(await entitlements({ userId: clerk })).toEqual(['analytics:read', 'orders:manage']);
  });

  test('the client has all of its tenant, until the operator limits it, and again afterwards', async () => {
    const [first, second] = world.clients;
    const limit = (...args: string[]) => run('clients', 'limit', world.tenantId, first, ...args);
    await limit('--capabilities', 'orders:read,analytics:export, analytics:read');
    expect(await entitlements()).toEqual(['analytics:read', 'orders:read']);
    expect(await entitlements({ clientId: second })).toHaveLength(4);
    await limit('--capabilities', '');
    expect(await entitlements()).toEqual([]);
    expect((await limit('--all')).json).toEqual({ client_id: first, capabilities: 'all of its tenant' });
    expect(await entitlements()).toHaveLength(4);

    const { body: trail } = await world.api('/v1/audit/events?action=client.limited&limit=3');
    expect(trail.data.map(({ actor, changes }: Record<string, unknown>) => [actor, changes])).toEqual(
      [
        { before: [], after: null },
        { before: ['analytics:export', 'analytics:read', 'orders:read'], after: [] },
        { before: null, after: ['analytics:export', 'analytics:read', 'orders:read'] },
      ].map((capabilities) => [{ type: 'operator', id: null }, { capabilities }]),
    );
    for (const [args, message] of [
      [['--capabilities', 'orders:burn'], /no module has the capability orders:burn/],
      [[], /--capabilities or --all/],
      [['--all', '--capabilities', 'orders:read'], /--capabilities or --all/],
    ] as const) {
      expect(await limit(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    }
    expect((await run('clients', 'limit', world.tenantId, world.ownerId, '--all')).code).toBe(1);
  });

  test('a limit is deleted with its client, and with a reset of the sandbox', async () => {
    const other = await launchWorld(story.server);
    const [first, second] = other.clients;
    for (const client of [first, second]) {
      await run('clients', 'limit', other.tenantId, client, '--capabilities', 'orders:read');
    }
    const limits = () =>
      select(story.server.db, 'SELECT client_id FROM client_limits WHERE tenant_id = :id', { id: other.tenantId });
    await other.api(`/v1/clients/${second}`, { method: 'DELETE' });
    expect(await limits()).toEqual([{ client_id: first }]);
    await story.server.resetSandbox(other.tenantId);
    expect(await limits()).toEqual([]);
  });
});

describe('is refused', () => {
  test('for objects of another tenant, inactive objects, and modules that cannot be launched', async () => {
    const other = await launchWorld(story.server);
    const { body: inactive } = await world.api('/v1/clients', { body: { name: 'Closed' } });
    await world.api(`/v1/clients/${inactive.id}`, { method: 'PATCH', body: { status: 'inactive' } });
    const [first, second] = world.clients;
    const bound = await newUser({ client_id: first });
    for (const [changes, code] of [
      [{ moduleSlug: 'nothing' }, 'MODULE_NOT_FOUND'],
      [{ moduleSlug: 'orders' }, 'MODULE_NOT_LAUNCHABLE'],
      [{ clientId: other.clients[0] }, 'CLIENT_NOT_FOUND'],
      [{ clientId: 'cli_nobody' }, 'CLIENT_NOT_FOUND'],
      [{ clientId: inactive.id }, 'UNPROCESSABLE'],
      [{ userId: other.ownerId }, 'USER_NOT_FOUND'],
      [{ userId: await newUser({}, 'invited') }, 'UNPROCESSABLE'],
      [{ userId: await newUser({}, 'suspended') }, 'UNPROCESSABLE'],
      [{ userId: bound, clientId: second }, 'UNPROCESSABLE'],
      [{ userId: bound, clientId: first }, 'issued'],
      [{ groupId: other.groupId }, 'GROUP_NOT_FOUND'],
      [{ tenantId: 'tnt_00000000000000000000000000' }, 'NOT_FOUND'],
    ] as const) {
      expect([changes, await refusal(changes)]).toEqual([changes, code]);
    }
  });

  test('for a suspended tenant, until it is reactivated', async () => {
    await story.server.setTenantStatus(world.tenantId, 'suspended');
    expect(await refusal({})).toBe('TENANT_SUSPENDED');
    await story.server.setTenantStatus(world.tenantId, 'active');
    expect(await refusal({})).toBe('issued');
  });

  test.each([
    ['https://shop.example/launch', 'shop', 'issued'],
    ['http://localhost:4020/launch', 'shop', 'issued'],
    ['https://shop.example/launch', null, 'MODULE_NOT_LAUNCHABLE'],
    ['https://shop.example/launch', '', 'MODULE_NOT_LAUNCHABLE'],
    ['http://shop.example/launch', 'shop', 'MODULE_NOT_LAUNCHABLE'],
    ['javascript:alert(1)', 'shop', 'MODULE_NOT_LAUNCHABLE'],
    ['https://user:secret@shop.example/', 'shop', 'MODULE_NOT_LAUNCHABLE'],
    ['/launch', 'shop', 'MODULE_NOT_LAUNCHABLE'],
  ])('or issued, by launch_url %s and audience %s: %s', async (url, audience, outcome) => {
    const sql = "UPDATE modules SET launch_url = :url, audience = :audience WHERE slug = 'loyalty'";
    await execute(story.server.db, sql, { url, audience });
    expect(await refusal({ moduleSlug: 'loyalty' })).toBe(outcome);
  });
});

describe('the operator', () => {
  test('prints a token for any user, with an audit event of the tenant', async () => {
    const who = ['--tenant', world.tenantId, '--client', world.clients[0], '--user', world.viewerId];
    const PLAT_BASE_URL = story.server.baseUrl;
    const env = { DATABASE_URL: story.database.url, PLAT_MASTER_KEY, PLAT_BASE_URL };
    const { code, json } = await operate(env, 'launch', ...who, '--module', ANALYTICS, '--group', world.groupId);
    expect(code).toBe(0);
    expect(json).toEqual({
      token: expect.any(String),
      launch_url: 'http://127.0.0.1:4020/launch',
      expires_at: new Date(readToken(json.token).claims.exp * 1000).toISOString(),
    });
    const { claims } = readToken(json.token);
    expect(claims).toMatchObject({ iss: PLAT_BASE_URL, user: world.viewerId, role: 'viewer', groupId: world.groupId });
    expect(isSignedBy(await fetchKeys(story.server), json.token)).toBe(true);

    const { body } = await world.api('/v1/audit/events?action=launch_token.issued&limit=1');
    expect(body.data).toMatchObject([
      {
        actor: { type: 'operator', id: null },
        target: { type: 'user', id: world.viewerId },
        changes: {
          module: { before: null, after: ANALYTICS },
          client_id: { before: null, after: world.clients[0] },
          group_id: { before: null, after: world.groupId },
        },
      },
    ]);
  });

  test('issues it in the name of the server: of PLAT_ISSUER, of the sandbox of the folder, of HOST and PORT', async () => {
    const who = ['--tenant', world.tenantId, '--client', world.clients[0], '--user', world.viewerId];
    const issuer = async (env: Readonly<Record<string, string>>) => {
      const at = { DATABASE_URL: story.database.url, PLAT_MASTER_KEY, ...env };
      return readToken((await operate(at, 'launch', ...who, '--module', ANALYTICS)).json.token).claims.iss;
    };
    const PLAT_DATA_DIR = tempFolder('sandbox').path;
    writeFileSync(join(PLAT_DATA_DIR, 'sandbox.json'), JSON.stringify({ base_url: 'http://127.0.0.1:4711' }));
    const PLAT_ISSUER = 'https://id.plat.example';
    expect(await issuer({ PLAT_DATA_DIR, PLAT_ISSUER, PLAT_BASE_URL: 'https://plat.example' })).toBe(PLAT_ISSUER);
    expect(await issuer({ PLAT_DATA_DIR })).toBe('http://127.0.0.1:4711');
    expect(await issuer({ PORT: '4099' })).toBe('http://127.0.0.1:4099');
  });

  test('gets a one-line error', async () => {
    const launchFor = (tenant: string, module: string) =>
      run('launch', '--tenant', tenant, '--client', world.clients[0], '--user', world.ownerId, '--module', module);
    for (const [answer, message] of [
      [await launchFor('tnt_nobody', ANALYTICS), /there is no tenant tnt_nobody/],
      [await launchFor('tnt_00000000000000000000000000', ANALYTICS), /there is no tenant tnt_0/],
      [await launchFor(world.tenantId, 'orders'), /has no launch_url/],
    ] as const) {
      expect([answer.code, answer.stdout]).toEqual([1, '']);
      expect(answer.stderr).toMatch(message);
    }
    expect((await run('launch', '--module', ANALYTICS)).code).toBe(2);
  });

  test('gets a one-line error when the signing key needs another master key', async () => {
    const env = { DATABASE_URL: story.database.url, PLAT_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
    const who = ['--tenant', world.tenantId, '--client', world.clients[0], '--user', world.ownerId];
    const { code, stdout, stderr } = await operate(env, 'launch', ...who, '--module', ANALYTICS);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^plat-server: the signing key \S+ is sealed under a master key that is not configured.*\n$/,
    );
  });

  test('cannot give a module a launch URL that a browser should not post a token to', async () => {
    const modules = [{ slug: 'evil', name: 'Evil', description: 'x', capabilities: [], launch_url: 'javascript:1' }];
    const path = join(tempFolder('catalog').path, 'catalog.json');
    writeFileSync(path, JSON.stringify({ modules, plans: [] }));
    const { code, stderr } = await run('catalog', 'apply', path);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/launch_url javascript:1: it must be https/)]);
  });
});

describe('a developer', () => {
  test('mints a token for the sandbox, as its owner in its oldest client by default', async () => {
    const developer = await signedInDeveloper(story.server);
    const { api } = await login(story.server, developer);
    const own = await apiOf(story.server.baseUrl, developer.apiKey)('/v1/clients');
    const [second, first] = own.body.data.map(({ id }: { id: string }) => id);
    const { status, body } = await api('/developer/v1/launch_tokens', { body: { module: ANALYTICS } });
    expect(status).toBe(201);
    const { claims } = readToken(body.token);
    expect(body).toEqual({
      object: 'launch_token',
      token: body.token,
      module: ANALYTICS,
      launch_url: 'http://127.0.0.1:4020/launch',
      issuer: story.server.baseUrl,
      audience: ANALYTICS,
      expires_at: new Date(claims.exp * 1000).toISOString(),
    });
    expect(claims).toMatchObject({ tenant: developer.tenantId, client: first, role: 'owner' });
    expect(isSignedBy(await fetchKeys(story.server), body.token)).toBe(true);

    const users = await apiOf(story.server.baseUrl, developer.apiKey)('/v1/users?role=viewer');
    const given = { module: ANALYTICS, client_id: second, user_id: users.body.data[0].id };
    const { body: other } = await api('/developer/v1/launch_tokens', { body: given });
    expect(readToken(other.token).claims).toMatchObject({ client: second, user: given.user_id, role: 'viewer' });

    for (const [fields, code] of [
      [{ module: 'nothing' }, 'MODULE_NOT_FOUND'],
      [{ module: 'orders' }, 'MODULE_NOT_LAUNCHABLE'],
      [{ module: ANALYTICS, client_id: world.clients[0] }, 'CLIENT_NOT_FOUND'],
      [{ module: ANALYTICS, user_id: world.ownerId }, 'USER_NOT_FOUND'],
      [{ module: ANALYTICS, group_id: world.groupId }, 'GROUP_NOT_FOUND'],
      [{}, 'INVALID_BODY'],
    ] as const) {
      expectRefusal(await api('/developer/v1/launch_tokens', { body: fields }), code);
    }
  });

  test('mints a token as the next owner when the oldest one is deactivated', async () => {
    const developer = await signedInDeveloper(story.server);
    const { api } = await login(story.server, developer);
    const tenant = apiOf(story.server.baseUrl, developer.apiKey);
    const { body: owners } = await tenant('/v1/users?role=owner');
    const { body: next } = await tenant('/v1/users', { body: { email: 'next@example.com', role: 'owner' } });
    await execute(story.server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: next.id });
    for (const { id } of owners.data) await tenant(`/v1/users/${id}/deactivate`, { method: 'POST' });
    const { body } = await api('/developer/v1/launch_tokens', { body: { module: ANALYTICS } });
    expect(readToken(body.token).claims).toMatchObject({ user: next.id, role: 'owner' });
  });

  test('mints none in production', async () => {
    const env = { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY, NODE_ENV: 'production' };
    const server = await createTestServer({ databaseUrl: story.database.url, clock: () => now, env });
    try {
      const { api } = await login(server, await signedInDeveloper(server));
      expectRefusal(await api('/developer/v1/launch_tokens', { body: { module: ANALYTICS } }), 'FORBIDDEN');
    } finally {
      await server.close();
    }
  });
});

test('no token is in any row, nor in the log', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const env = { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY };
  const server = await createTestServer({ databaseUrl: story.database.url, clock: () => now, env, log });
  try {
    const { api } = await login(server, await signedInDeveloper(server));
    const headers = { 'idempotency-key': 'mint' };
    const { body } = await api('/developer/v1/launch_tokens', { body: { module: ANALYTICS }, headers });
    now += 1000;
    const tokens = [body.token, await launch()];
    const found = [await dumpOf(server), lines.join('\n')];
    for (const token of tokens) {
      const [, claims = '', signature = ''] = token.split('.');
      for (const text of found) expect([text.includes(claims), text.includes(signature)]).toEqual([false, false]);
    }
    expect(lines.some((line) => line.includes('/developer/v1/launch_tokens'))).toBe(true);
  } finally {
    await server.close();
  }
});
