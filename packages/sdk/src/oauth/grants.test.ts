import { expect, test } from 'vitest';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { refusal } from '../testing/build.ts';
import { type FakeService, fakeService } from '../testing/fake-service.ts';
import { gate, grantScene, KEY, oauthFor } from '../testing/grants.ts';
import { tempFolder } from '../testing/processes.ts';
import { aesGcm } from './aes-gcm.ts';
import type { PendingAuthorization } from './authorization.ts';
import type { GrantStore } from './grant-store.ts';
import type { OAuth } from './oauth.ts';
import { CallbackError, GrantStoreError, ReauthorizationRequired } from './oauth-errors.ts';
import { fileStore } from './stores/file-store.ts';
import { memoryStore } from './stores/memory-store.ts';

/** Returns the callback of a new consent. */
async function consent(service: FakeService, oauth: OAuth): Promise<[URLSearchParams, PendingAuthorization]> {
  const pending = await oauth.authorizationUrl({ scopes: ['me:read'] });
  const code = service.code(new URL(pending.url).searchParams.get('code_challenge') ?? '');
  return [new URLSearchParams({ code, state: pending.state, iss: service.url }), pending];
}

async function keysOf(oauth: OAuth, after?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of oauth.grants.list({ after })) keys.push(key);
  return keys;
}

test.each([
  ['memoryStore', () => memoryStore()],
  ['fileStore', () => fileStore(tempFolder())],
])('the grants of %s are listed once each over several pages, connected and ended', async (_, make) => {
  const service = await fakeService();
  const key = Buffer.alloc(32, 7).toString('base64');
  const oauth = oauthFor(service.url, { store: make(), encryption: aesGcm(key) });
  expect(await keysOf(oauth)).toEqual([]);
  const all = Array.from({ length: 230 }, (_unused, i) => `account/${i}`);
  for (const name of all) {
    const { access: accessToken, refresh: refreshToken } = service.connect();
    await oauth.grants.import({ accessToken, refreshToken, key: name });
  }
  await oauth.revoke('account/3');
  const listed = await keysOf(oauth);
  expect([...listed].sort()).toEqual([...all].sort());
  expect(await keysOf(oauth, listed[150])).toEqual(listed.slice(151));
  const ended: string[] = [];
  for await (const grant of oauth.grants.list()) if (grant.status === 'ended') ended.push(grant.key);
  expect(ended).toEqual(['account/3']);
  const wrong = oauthFor(service.url, { store: make(), encryption: aesGcm(Buffer.alloc(32, 8).toString('base64')) });
  expect(await keysOf(wrong)).toEqual([]);
});

test('a store that cannot list, or whose grants cannot be decrypted, is reported', async () => {
  const { list: _, ...store } = memoryStore();
  const service = await fakeService();
  const error = await refusal(keysOf(oauthFor(service.url, { store })), InvalidArgumentError);
  expect(error.message).toContain('no method list');
  const { oauth } = await grantScene(3000, { encryption: aesGcm(Buffer.alloc(32, 8).toString('base64')) });
  expect((await refusal(keysOf(oauth), GrantStoreError)).key).toBe(KEY);
});

test('a pair with a valid access token is imported without spending anything, under its tenant', async () => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const { access: accessToken, refresh: refreshToken } = service.connect();
  const grant = await oauth.grants.import({ accessToken, refreshToken });
  expect(grant).toMatchObject({
    key: 'ten_1',
    status: 'connected',
    userId: 'usr_1',
    scopes: ['clients:read', 'me:read'],
  });
  await oauth.actingFor('ten_1').me.get();
  expect(service.count('/oauth/token')).toBe(0);
});

test('a pair without a valid access token is exchanged once, and needs a key', async () => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const { access, refresh: refreshToken } = service.connect();
  expect((await refusal(oauth.grants.import({ refreshToken }), InvalidArgumentError)).argument).toBe('key');
  service.kill(access);
  const grant = await oauth.grants.import({ refreshToken, accessToken: access, key: 'account-7' });
  expect(grant).toMatchObject({ key: 'account-7', tenantId: 'ten_1', userId: 'usr_1', status: 'connected' });
  expect(service.presented).toEqual([refreshToken]);
  expect(await oauth.grant('account-7')).toEqual(grant);
});

test('an import can be repeated: the pair is not presented again, and what it has become stays', async () => {
  const service = await fakeService();
  const store = memoryStore();
  const { refresh: refreshToken } = service.connect();
  const given = { refreshToken, key: 'account-7' };
  await oauthFor(service.url, { store }).grants.import(given);
  await oauthFor(service.url, { store }).grants.import(given);
  expect(service.presented).toEqual([refreshToken]);
  await oauthFor(service.url, { store }).actingFor('account-7').me.get();
});

test('an import that was cut off after the exchange continues with the stored pair', async () => {
  const service = await fakeService();
  const store = memoryStore();
  const { refresh: refreshToken } = service.connect();
  const given = { refreshToken, key: 'account-7' };
  const answer = service.respond('/oauth/introspect', 500);
  await expect(oauthFor(service.url, { store }).grants.import(given)).rejects.toThrow();
  answer.restore();
  expect(await oauthFor(service.url, { store }).grants.import(given)).toMatchObject({ tenantId: 'ten_1' });
  expect(service.presented).toEqual([refreshToken]);
});

test('an import does not replace a connected grant, and reports a refused token', async () => {
  const { oauth, service, pair } = await grantScene(3000);
  const other = service.connect();
  const error = await refusal(
    oauth.grants.import({ accessToken: other.access, refreshToken: other.refresh, key: KEY }),
    InvalidArgumentError,
  );
  expect(error.message).toContain('connected grant');
  expect(service.isAlive(pair.refresh)).toBe(true);
  const unknown = { refreshToken: 'plat_rt_unknown', key: 'account-8' };
  expect((await refusal(oauth.grants.import(unknown), ReauthorizationRequired)).reason).toBe('refused');
  expect(await oauth.grant('account-8')).toMatchObject({ status: 'ended' });
  const { access, refresh } = service.connect();
  await oauth.grants.import({ refreshToken: refresh, accessToken: access, key: 'account-8' });
  await oauth.actingFor('account-8').me.get();
});

test.each([
  ['refreshToken', { refreshToken: '' }],
  ['refreshToken', { refreshToken: undefined }],
  ['accessToken', { refreshToken: 'plat_rt_1', accessToken: 'plat at' }],
  ['key', { refreshToken: 'plat_rt_1', key: 'account 7' }],
])('an import with an invalid %s is refused, and nothing is sent', async (argument, given) => {
  const service = await fakeService();
  const { grants } = oauthFor(service.url);
  const imported = Reflect.apply(grants.import, grants, [{ key: 'account-7', ...given }]);
  expect((await refusal(imported, InvalidArgumentError)).argument).toBe(argument);
  expect(service.received).toHaveLength(0);
});

test('a reconnected grant has the new pair, and the former pair is revoked', async () => {
  const { oauth, service, pair, record } = await grantScene(3000);
  const [query, pending] = await consent(service, oauth);
  const grant = await oauth.reconnect(query, pending);
  expect(grant).toMatchObject({ key: KEY, status: 'connected', scopes: ['clients:read', 'me:read'] });
  expect(service.revoked).toEqual([pair.refresh]);
  expect(await record()).not.toHaveProperty('former');
  expect(service.isAlive(pair.refresh)).toBe(false);
  await oauth.actingFor(KEY).me.get();
});

test('a reconnected grant whose former pair could not be revoked is usable, and the next renewal revokes it', async () => {
  const { oauth, another, service, pair, record } = await grantScene(3000, { expiresIn: 1 });
  const answer = service.respond('/oauth/revoke', 503);
  await oauth.reconnect(...(await consent(service, oauth)));
  expect((await record()).former).toBe(pair.refresh);
  expect(service.isAlive(pair.refresh)).toBe(true);
  await oauth.actingFor(KEY).me.get();
  answer.restore();
  const stored = await record();
  service.kill(stored.accessToken);
  await another().actingFor(KEY).me.get();
  expect(service.revoked).toEqual([pair.refresh]);
  expect(await record()).not.toHaveProperty('former');
});

test('a reconnection whose write was stored without an answer keeps the new pair', async () => {
  const memory = memoryStore();
  let isLost = false;
  const store: GrantStore = {
    ...memory,
    async compareAndSet(...given) {
      const done = await memory.compareAndSet(...given);
      if (!isLost) return done;
      isLost = false;
      throw new Error('the connection to the database broke');
    },
  };
  const { service, oauth, pair } = await grantScene(3000, { store });
  const callback = await consent(service, oauth);
  isLost = true;
  await oauth.reconnect(...callback);
  await oauth.actingFor(KEY).me.get();
  expect(service.revoked).toEqual([pair.refresh]);
});

test('a second reconnection also revokes the pair that the first one could not revoke', async () => {
  const { oauth, service, pair, record } = await grantScene(3000);
  const answer = service.respond('/oauth/revoke', 503);
  await oauth.reconnect(...(await consent(service, oauth)));
  answer.restore();
  const { refreshToken: second } = await record();
  await oauth.reconnect(...(await consent(service, oauth)));
  expect(service.revoked).toEqual([pair.refresh, second]);
});

test('a process that ends between storing the new pair and revoking the former one loses neither', async () => {
  const { oauth, another, service, pair, record } = await grantScene(3000);
  const reached = gate();
  // The request never ends, like that of a killed process.
  service.respond('/oauth/revoke', () => {
    reached.open();
    return new Promise(() => {});
  });
  const [query, pending] = await consent(service, oauth);
  void oauth.reconnect(query, pending).catch(() => {});
  await reached.opened;
  const stored = await record();
  expect(stored.former).toBe(pair.refresh);
  service.respond('/oauth/revoke', undefined);
  service.kill(stored.accessToken);
  await another().actingFor(KEY).me.get();
  expect(service.revoked).toEqual([pair.refresh]);
});

test('a consent for another tenant does not replace a grant, and its tokens are revoked', async () => {
  const { oauth, service, pair } = await grantScene(3000);
  const [query, pending] = await consent(service, oauth);
  service.tenant = 'ten_2';
  const error = await refusal(oauth.reconnect(query, pending, { key: KEY }), CallbackError);
  expect(error.code).toBe('OTHER_TENANT');
  expect(service.revoked).toHaveLength(1);
  expect(service.revoked).not.toContain(pair.refresh);
  expect(await oauth.grant(KEY)).toMatchObject({ status: 'connected', tenantId: 'ten_1' });
});
