import { LIMITS } from '@plat/contract';
import { Platform } from '@plat/sdk';
import { AuthorizationError, memoryStore, OAuth } from '@plat/sdk/oauth';
import { afterAll, expect, test, vi } from 'vitest';
import { signInOwner } from './sign-in-owner.ts';
import { usePlatform } from './use-platform.ts';

// Real servers are slow on busy machines.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const platform = await usePlatform({ afterAll });
const { baseUrl, server } = platform;

/** A sandbox as an integrator gets it from a server in another process. */
async function newTenant() {
  const response = await fetch(`${baseUrl}/_dev/tenants`, { method: 'POST', body: '{}', headers: JSON_TYPE });
  const { tenant_id: tenantId, owner } = await response.json();
  return { tenantId, owner };
}
const JSON_TYPE = { 'content-type': 'application/json' };

/** The OAuth client of a new app. */
async function newApp(options: Parameters<typeof server.createApp>[0] = {}) {
  const redirectUris = ['https://app.example/callback?from=plat'];
  const { appId: clientId, clientSecret, redirectUri } = await server.createApp({ redirectUris, ...options });
  return new OAuth({ clientId, clientSecret, redirectUri, baseUrl, store: memoryStore() });
}

test('an owner consents without a browser, and the app gets tokens for the tenant', async () => {
  const oauth = await newApp();
  const { tenantId, owner } = await newTenant();
  const signedIn = await signInOwner({ baseUrl, email: owner.email });
  for (const scope of ['clients:read', 'me:read'] as const) {
    const pending = await oauth.authorizationUrl({ scopes: [scope] });
    const callback = await signedIn.authorize(pending.url);
    expect(callback).toMatch(/^https:\/\/app\.example\/callback\?from=plat&code=plat_ac_/);
    expect(await oauth.exchange(callback, pending)).toMatchObject({ key: tenantId, userId: owner.id, scopes: [scope] });
  }
  expect((await oauth.actingFor(tenantId).me.get()).tenant_id).toBe(tenantId);
});

test('an owner denies, and a refused request comes back to the app', async () => {
  const oauth = await newApp({ scopes: ['clients:read'] });
  const { email } = await new Platform({ apiKey: platform.apiKey, baseUrl }).users.get(platform.ownerId);
  const owner = await signInOwner({ baseUrl: `${baseUrl}/`, email });
  const pending = await oauth.authorizationUrl({ scopes: ['clients:read'] });
  const denied = await owner.authorize(new URL(pending.url), 'deny');
  await expect(oauth.exchange(denied, pending)).rejects.toThrow(AuthorizationError);
  const wrong = new URL(pending.url);
  wrong.searchParams.set('scope', 'users:write');
  expect(new URL(await owner.authorize(wrong)).searchParams.get('error')).toBe('invalid_scope');
});

test('a refusal that the platform shows on its own page has its words', async () => {
  const oauth = await newApp();
  const { owner } = await newTenant();
  const signedIn = await signInOwner({ baseUrl, email: owner.email });
  const url = new URL((await oauth.authorizationUrl({ scopes: ['clients:read'] })).url);
  url.searchParams.set('client_id', 'app_unknown');
  await expect(signedIn.authorize(url)).rejects.toThrow(/client_id must be the id of an app/);
  await expect(signedIn.authorize('https://other.example/oauth/authorize?x=1')).rejects.toThrow(TypeError);
});

test('several tests sign in at the same time, also with one address', async () => {
  const { owner } = await newTenant();
  const oauth = await newApp();
  const codes = await Promise.all(
    [1, 2, 3].map(async () => {
      const signedIn = await signInOwner({ baseUrl, email: owner.email });
      const { url } = await oauth.authorizationUrl({ scopes: ['clients:read'] });
      return new URL(await signedIn.authorize(url)).searchParams.get('code');
    }),
  );
  expect(new Set(codes).size).toBe(3);
});

test('an owner of several tenants is selected by the id', async () => {
  const email = 'everywhere@example.com';
  const [, second] = [
    await server.createTenant({ ownerEmail: email }),
    await server.createTenant({ ownerEmail: email }),
  ];
  await expect(signInOwner({ baseUrl, email })).rejects.toThrow(`${email} is a user of several tenants: pass userId`);
  const owner = await signInOwner({ baseUrl, email, userId: second.ownerId });
  const oauth = await newApp({ verified: true });
  const pending = await oauth.authorizationUrl({ scopes: ['clients:read'] });
  expect((await oauth.exchange(await owner.authorize(pending.url), pending)).key).toBe(second.tenantId);
});

test('a development server without SMTP does not limit sign-ins', async () => {
  const { owner } = await newTenant();
  for (let n = 0; n <= LIMITS.mail.signIn.recipient.max; n++) await signInOwner({ baseUrl, email: owner.email });
});

test('an unknown address, a refused sign-in and another server are named', async () => {
  await expect(signInOwner({ baseUrl, email: 'nobody@example.com' })).rejects.toThrow('no user has the address');
  await expect(signInOwner({ baseUrl, email: 'nothing' })).rejects.toThrow(/refused \(400\): .*Enter an email address/);
  await expect(signInOwner({ baseUrl: `${baseUrl}/docs`, email: 'a@b.example' })).rejects.toThrow('no sign-in page');
});
