import { Platform } from '@plat/sdk';
import { OAuth, type OAuthOptions, ReauthorizationRequired } from '@plat/sdk/oauth';
import { execute, select, type TestApp, type TestTenant } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ActingOptions } from '../support/acting-process.ts';
import { decideConsent } from '../support/consent.ts';
import {
  changeRecord,
  type GrantsAt,
  type OpenStore,
  openStore,
  placeForGrants,
  withGrantsTable,
} from '../support/grants.ts';
import { type NodeProcess, spawnNode } from '../support/process.ts';
import { sqlPlaces } from '../support/sql-places.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let grants: GrantsAt;
let open: OpenStore;
let app: TestApp;

beforeAll(async () => {
  app = await story.server.createApp();
});

/** Stores the grants of the enclosing tests in the given place. */
function keepGrantsIn(place: () => GrantsAt | Promise<GrantsAt>): void {
  beforeAll(async () => {
    grants = await place();
    open = openStore(grants);
  });
  afterAll(() => open.close());
}

/** Places where processes share their grants. With SQLite also in files. */
const sharedPlaces: [string, () => Promise<GrantsAt>][] = sqlPlaces(story).map(([name, place]) => [
  name,
  async () => withGrantsTable(await place()),
]);
if (inject('database').kind === 'sqlite') sharedPlaces.push(['files', () => placeForGrants(story.database)]);

/** The app, as one of its processes configures it. */
function oauthOf(changes: Partial<OAuthOptions> = {}): OAuth {
  const { appId: clientId, clientSecret, redirectUri } = app;
  const { baseUrl } = story.server;
  return new OAuth({ baseUrl, clientId, clientSecret, redirectUri, store: open.store, settle: 50, ...changes });
}

/** A tenant whose owner goes through consent in a browser, until the grant is in the store. */
async function connect(oauth: OAuth): Promise<TestTenant> {
  const tenant = await story.server.createTenant();
  const pending = await oauth.authorizationUrl({ scopes: ['clients:read', 'clients:write', 'me:read'] });
  const callback = await decideConsent(pending.url, await story.server.signInAdmin(tenant.ownerId));
  const grant = await oauth.exchange(callback, pending);
  expect(grant).toMatchObject({ key: tenant.tenantId, tenantId: tenant.tenantId, userId: tenant.ownerId });
  return tenant;
}

/** Returns how often the tokens of a tenant's consent were refreshed, as the server counts. */
async function refreshesOf({ tenantId }: TestTenant): Promise<number> {
  const sql = 'SELECT generation FROM oauth_grants WHERE tenant_id = :tenantId';
  const [row] = await select<{ generation: number }>(story.server.db, sql, { tenantId });
  return Number(row?.generation) - 1;
}

const expire = ({ tenantId }: TestTenant) => changeRecord(open.store, tenantId, { expiresAt: Date.now() - 60_000 });

/** Returns true if the store has tokens that no request has put in doubt. */
async function hasFreshPair({ tenantId }: TestTenant): Promise<boolean> {
  const stored = JSON.parse((await open.store.get(tenantId))?.value ?? '{}');
  return stored.mark === null && stored.expiresAt > Date.now();
}

/** Returns the result of a call: `ok`, or the reason why the tenant has to consent again. */
const outcomeOf = (call: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(call).then(
    () => 'ok',
    (error: unknown) => (error instanceof ReauthorizationRequired ? error.reason : String(error)),
  );

describe('an app', () => {
  keepGrantsIn(() => placeForGrants(story.database));

  test('connects a tenant, acts for it, refreshes, is notified of its tokens, and revokes them', async () => {
    const oauth = oauthOf();
    const tenant = await connect(oauth);
    const platform = oauth.actingFor(tenant.tenantId);
    expect(await platform.me.get()).toMatchObject({ tenant_id: tenant.tenantId, credential_type: 'oauth_token' });
    const client = await platform.clients.create({ name: 'Acme' });
    await expire(tenant);
    const later = oauthOf({ store: { ...open.store, id: 'another process' } });
    expect(await later.actingFor(tenant.tenantId).clients.get(client.id)).toEqual(client);
    expect(await refreshesOf(tenant)).toBe(1);

    const token = await later.credential(tenant.tenantId).get();
    const told = await oauth.introspect(token.value);
    expect(told).toMatchObject({ active: true, client_id: app.appId, tenant_id: tenant.tenantId, sub: tenant.ownerId });
    expect(await oauth.introspect('plat_at_other')).toEqual({ active: false });

    await oauth.revoke(tenant.tenantId);
    expect(await oauth.introspect(token.value)).toEqual({ active: false });
    expect(await outcomeOf(oauth.actingFor(tenant.tenantId).me.get())).toBe('revoked');
  });

  test('that is denied gets ACCESS_DENIED', async () => {
    const tenant = await story.server.createTenant();
    const session = await story.server.signInAdmin(tenant.ownerId);
    const oauth = oauthOf();
    const pending = await oauth.authorizationUrl({ scopes: ['me:read'] });
    const denied = await decideConsent(pending.url, session, 'deny');
    const error = await oauth.exchange(denied, pending).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ACCESS_DENIED', error: 'access_denied' });
  });

  test('whose consent was revoked has to ask again, and works after that', async () => {
    const oauth = oauthOf();
    const tenant = await connect(oauth);
    const sql = 'SELECT id FROM oauth_grants WHERE tenant_id = :tenantId';
    const [grant] = await select<{ id: string }>(story.server.db, sql, { tenantId: tenant.tenantId });
    const platform = oauth.actingFor(tenant.tenantId);
    await story.server.revokeConsent(tenant.tenantId, grant?.id ?? '');
    expect(await outcomeOf(platform.me.get())).toBe('refused');

    const pending = await oauth.authorizationUrl({ scopes: ['me:read'] });
    const callback = await decideConsent(pending.url, await story.server.signInAdmin(tenant.ownerId));
    await oauth.exchange(callback, pending);
    expect(await outcomeOf(platform.me.get())).toBe('ok');
  });

  test('of a suspended tenant keeps its grant, and works again when the tenant is reactivated', async () => {
    const oauth = oauthOf();
    const tenant = await connect(oauth);
    const platform = oauth.actingFor(tenant.tenantId);
    await expire(tenant);
    await story.server.setTenantStatus(tenant.tenantId, 'suspended');
    const suspended = oauthOf({ store: { ...open.store, id: 'suspended' } }).actingFor(tenant.tenantId);
    await expect(suspended.me.get()).rejects.toMatchObject({ code: 'TENANT_SUSPENDED' });
    await story.server.setTenantStatus(tenant.tenantId, 'active');
    expect(await outcomeOf(suspended.me.get())).toBe('ok');
    expect(await outcomeOf(platform.me.get())).toBe('ok');
  });

  test('acts for many tenants at once from one store', async () => {
    const oauth = oauthOf();
    const tenants = await Promise.all([connect(oauth), connect(oauth), connect(oauth)]);
    const seen = await Promise.all(tenants.map(({ tenantId }) => oauth.actingFor(tenantId).me.get()));
    expect(seen.map((me) => me.tenant_id)).toEqual(tenants.map(({ tenantId }) => tenantId));
  });

  test('a client made with the credential of a grant is like any other', async () => {
    const oauth = oauthOf();
    const tenant = await connect(oauth);
    const platform = new Platform({ baseUrl: story.server.baseUrl, credential: oauth.credential(tenant.tenantId) });
    expect(await platform.me.get()).toMatchObject({ tenant_id: tenant.tenantId });
  });
});

describe.each(sharedPlaces)('processes on one store: %s', (_, place) => {
  keepGrantsIn(place);

  test('four of them, ten calls each, on an expired token: forty answers, one refresh', async () => {
    const tenant = await connect(oauthOf());
    await expire(tenant);
    expect(await callFrom(4, tenant)).toEqual(Array(40).fill('ok'));
    expect(await refreshesOf(tenant)).toBe(1);
  });

  test('five of them, ten calls each, on a token that is refused: fifty answers, one refresh', async () => {
    const tenant = await connect(oauthOf());
    const sql = `UPDATE oauth_access_tokens SET expires_at = 1
      WHERE grant_id IN (SELECT id FROM oauth_grants WHERE tenant_id = :tenantId)`;
    await execute(story.server.db, sql, { tenantId: tenant.tenantId });
    expect(await callFrom(5, tenant)).toEqual(Array(50).fill('ok'));
    expect(await refreshesOf(tenant)).toBe(1);
  });

  test('of which one is killed at any moment: the next continues, or the refresh response was really lost', async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < 8; round++) {
      const tenant = await connect(oauthOf());
      await expire(tenant);
      const [first] = await start(1, tenant, 3);
      first?.child.stdin.write('go\n');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      await first?.kill9();
      const wasStored = await hasFreshPair(tenant);
      let renewals = 0;
      const hooks = { onRefreshed: () => void renewals++ };
      // A lock ends with its process. A mark in a table counts as that of a live process for three times the timeout.
      const next = oauthOf({ timeout: 400, hooks, store: { ...open.store, id: `round ${round}` } });
      const outcome = await outcomeOf(next.actingFor(tenant.tenantId).me.get());
      outcomes.push(outcome);
      // Counted at the end: the server may still handle the request of a process that was killed.
      expect(await refreshesOf(tenant)).toBe(1);
      if (outcome === 'ok') continue;
      expect({ outcome, renewals, wasStored }).toEqual({ outcome: 'answer_lost', renewals: 0, wasStored: false });
    }
    expect(outcomes).toContain('ok');
  });
});

// One process writes here, so the isolation does not matter.
const anyIsolation = sharedPlaces.filter(([name]) => !name.includes('SERIALIZABLE'));
describe.each(anyIsolation)('a server that is killed: %s', (_, place) => {
  keepGrantsIn(place);

  test.each(['1', '2', '3', '4', '5', '6', '7', 'answer'])(
    'at statement %s of a rotation loses the consent only if it had committed',
    async (point) => {
      const tenant = await connect(oauthOf());
      await expire(tenant);
      const dying = spawnNode('tests/support/killed-process.ts', {
        args: [point],
        env: { DATABASE_URL: story.database.url },
      });
      const [, baseUrl = ''] = await dying.waitFor(/Base URL (\S+)/);
      // A store with a different id, so that this process acts as another one.
      const store = { ...open.store, id: `dying ${point}` };
      const failed = await oauthOf({ baseUrl, store })
        .actingFor(tenant.tenantId, { maxRetries: 0 })
        .me.get()
        .catch((e: unknown) => e);
      expect(failed).toBeInstanceOf(Error);
      await dying.kill9();
      const spent = await refreshesOf(tenant);
      const wasStored = await hasFreshPair(tenant);
      const next = oauthOf({ store: { ...open.store, id: `after ${point}` } }).actingFor(tenant.tenantId);
      expect(await outcomeOf(next.me.get())).toBe(spent === 1 && !wasStored ? 'answer_lost' : 'ok');
    },
    60_000,
  );
});

/** Starts processes that are ready to make `calls` calls each. */
async function start(count: number, { tenantId: key }: TestTenant, calls: number): Promise<NodeProcess[]> {
  const { appId: clientId, clientSecret } = app;
  const options: ActingOptions = { baseUrl: story.server.baseUrl, clientId, clientSecret, grants, key, calls };
  const args = [JSON.stringify(options)];
  const processes = Array.from({ length: count }, () => spawnNode('tests/support/acting-process.ts', { args }));
  for (const each of processes) await each.waitFor(/^ready$/m);
  return processes;
}

/** Returns the results of calls that several processes begin at the same moment. */
async function callFrom(count: number, tenant: TestTenant): Promise<string[]> {
  const processes = await start(count, tenant, 10);
  for (const { child } of processes) child.stdin.write('go\n');
  const results = await Promise.all(processes.map((each) => each.waitFor(/^results (.*)$/m)));
  await Promise.all(processes.map((each) => each.exited));
  return results.flatMap(([, said = '[]']) => JSON.parse(said));
}
