import { HEADERS } from '@plat/contract';
import { execute } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { openConsole } from '../support/console.ts';
import { type HeldRequest, holdRequest } from '../support/held-request.ts';
import { useServer } from '../support/story.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

/* A caller who holds the end of a request back must not outlive the credential. */

const SIGN_IN = /^HTTP\/1\.1 303 .*\r\nLocation: \/sign-in\?/s;
const NOT_SAVED = /^HTTP\/1\.1 401 .*Your session has ended, so nothing was saved/s;

test.each([
  ['/key', { seen: '', 'scope.users:write': 'on' }, SIGN_IN],
  ['/users/new', { email: 'next@example.com', role: 'owner' }, NOT_SAVED],
  [
    '/explorer',
    { operation: 'users.create', as: 'json', json: '{"email":"last@example.com","role":"owner"}', confirmed: 'on' },
    NOT_SAVED,
  ],
] as const)(
  'a form for %s that ends after its owner was deactivated changes nothing',
  async (path, fields, refused) => {
    const { server } = story;
    const { tenantId, apiKey } = await server.createTenant({ sandbox: false });
    const api = apiOf(server.baseUrl, apiKey);
    const { body: other } = await api('/v1/users', { body: { email: 'other@example.com', role: 'owner' } });
    await execute(server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: other.id });
    const session = await server.signInAdmin(other.id);
    const tenantRows = async () => ({
      users: (await api('/v1/users')).body.data.length,
      hint: (await server.db.models.apiKey.findOne({ where: { tenant_id: tenantId }, raw: true }))?.hint,
    });
    const before = await tenantRows();
    const key = await server.db.models.apiKey.findOne({ where: { tenant_id: tenantId }, raw: true });
    const seen = 'seen' in fields ? { seen: key?.id ?? '', expires_in: '0' } : {};
    const held = holdRequest(server.baseUrl + path, {
      headers: {
        Cookie: session.cookie,
        Accept: 'text/html',
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ ...fields, ...seen, _csrf: session.csrfToken }).toString(),
    });
    // When this page arrives, the server has the held form too.
    expect((await openConsole(server, session).get('/')).status).toBe(200);

    expect((await api(`/v1/users/${other.id}/deactivate`, { method: 'POST' })).status).toBe(200);
    expect(await held.finish()).toMatch(refused);
    expect(await tenantRows()).toEqual(before);
  },
);

test('a request that ends after its key was replaced is refused', async () => {
  const { server } = story;
  const { tenantId, apiKey } = await server.createTenant();
  const held = holdClient(apiKey);
  await authenticated(apiOf(server.baseUrl, apiKey), '/v1/me');

  const next = apiOf(server.baseUrl, await server.mintKey(tenantId));
  expect(await held.finish()).toMatch(/^HTTP\/1\.1 401 .*"code":"INVALID_TOKEN"/s);
  expect((await next('/v1/clients')).body.data).toEqual([]);
});

test('a request that ends after its tenant was suspended is refused', async () => {
  const { server } = story;
  const { tenantId, apiKey } = await server.createTenant();
  const held = holdClient(apiKey);
  await authenticated(apiOf(server.baseUrl, apiKey), '/v1/me');

  await server.setTenantStatus(tenantId, 'suspended');
  expect(await held.finish()).toMatch(/^HTTP\/1\.1 403 .*"code":"TENANT_SUSPENDED"/s);
});

test('a request with a body in parts is served while its credential is valid', async () => {
  const { server } = story;
  const held = holdClient((await server.createTenant()).apiKey);
  expect(await held.finish()).toMatch(/^HTTP\/1\.1 201 /);
});

test('a login that was ended mints no key with a request that it held back', async () => {
  const { server } = story;
  const { tenantId, apiKey } = await server.createSandbox();
  const token = await server.mintDeveloperToken(tenantId);
  const held = hold('/developer/v1/keys', token, { scopes: ['users:write'] });
  const developer = apiOf(server.baseUrl, token);
  await authenticated(developer, '/developer/v1/me');

  expect((await developer('/developer/v1/tokens/current', { method: 'DELETE' })).status).toBe(200);
  expect(await held.finish()).toMatch(/^HTTP\/1\.1 401 .*"code":"INVALID_TOKEN"/s);
  expect((await apiOf(server.baseUrl, apiKey)('/v1/me')).status).toBe(200);
});

test('a vendor key acts for the tenant of the path when its body arrives in parts', async () => {
  const { server } = story;
  const { tenantId, apiKey } = await server.createTenant({ sandbox: false });
  const invoice = {
    ...{ status: 'open', currency: 'EUR', amount_due: 0, due_at: null, lines: [] },
    ...{ period_start: '2026-01-01T00:00:00.000Z', period_end: '2026-02-01T00:00:00.000Z' },
  };
  const held = hold(`/operator/v1/tenants/${tenantId}/invoices/A-1`, await server.createVendorKey(), invoice, 'PUT');
  expect(await held.finish()).toMatch(/^HTTP\/1\.1 200 /);
  expect((await apiOf(server.baseUrl, apiKey)('/v1/billing/invoices')).body.data).toHaveLength(1);
});

/** Waits until the server has authenticated the held request: the rate limit counts it. */
async function authenticated(api: Api, path: string): Promise<void> {
  let own = 0;
  await expect
    .poll(async () => {
      const { headers } = await api(path);
      own++;
      return Number(headers.get(HEADERS.rateLimit)) - Number(headers.get(HEADERS.rateRemaining)) - own;
    })
    .toBe(1);
}

function holdClient(credential: string): HeldRequest {
  return hold('/v1/clients', credential, { name: 'Acme' });
}

function hold(path: string, credential: string, body: object, method = 'POST'): HeldRequest {
  return holdRequest(story.server.baseUrl + path, {
    method,
    headers: { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
