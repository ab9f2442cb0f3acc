import { connect } from 'node:net';
import { HEADERS, OPERATIONS } from '@plat/contract';
import { execute } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { sendRaw } from '../support/raw-request.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the gate of /v1', () => {
  test('accepts a valid key of any scope for GET /v1/me', async () => {
    const { tenantId, apiKey } = await story.server.createTenant({ scopes: ['groups:read'] });
    const answer = await apiOf(story.server.baseUrl, apiKey)('/v1/me');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      object: 'me',
      tenant_id: tenantId,
      credential_type: 'api_key',
      scopes: ['groups:read'],
    });
  });

  test.each(['Bearer   ', 'bearer ', 'BEARER '])('accepts a key behind the scheme "%s"', async (scheme) => {
    const { apiKey } = await story.server.createTenant();
    const answer = await apiOf(story.server.baseUrl)('/v1/me', { headers: { authorization: scheme + apiKey } });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['none', {}],
    ['of another scheme', { authorization: 'Basic cGxhdA==' }],
  ])('a credential that is %s is INVALID_TOKEN, with a challenge that names no error', async (_name, headers) => {
    for (const path of ['/v1/me', '/v1/clients', '/developer/v1/me']) {
      const answer = await apiOf(story.server.baseUrl)(path, { headers });
      expectRefusal(answer, 'INVALID_TOKEN');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="plat"/);
      expect(answer.headers.get('www-authenticate')).not.toMatch(/error/);
    }
  });

  test.each([
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['two words', { authorization: 'Bearer a b' }],
    ['a text that is no key', bearer('nonsense')],
    ['a key with a wrong checksum', bearer(`plat_test_${'a'.repeat(49)}`)],
  ])('a credential that is %s is INVALID_TOKEN, with a challenge', async (_name, headers) => {
    const answer = await apiOf(story.server.baseUrl)('/v1/me', { headers });
    expectRefusal(answer, 'INVALID_TOKEN');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="plat", error="invalid_token"/);
  });

  test('a token in the query is refused even with a valid header', async () => {
    const { apiKey } = await story.server.createTenant();
    const api = apiOf(story.server.baseUrl, apiKey);
    expectRefusal(await api(`/v1/me?access_token=${apiKey}`), 'INVALID_TOKEN');
    expectRefusal(await apiOf(story.server.baseUrl)(`/v1/me?access_token=${apiKey}`), 'INVALID_TOKEN');
  });

  test('a token in a form is refused', async () => {
    const { apiKey } = await story.server.createTenant();
    const answer = await apiOf(story.server.baseUrl)('/v1/clients', {
      body: `access_token=${apiKey}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expectRefusal(answer, 'INVALID_TOKEN');
  });

  test('two Authorization headers are refused', async () => {
    const { apiKey } = await story.server.createTenant();
    const text = await raw(story.server.baseUrl, [
      'GET /v1/me HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${apiKey}`,
      'Authorization: Bearer other',
      'Connection: close',
    ]);
    expect(text).toMatch(/^HTTP\/1.1 401 /);
    expect(text).toContain('"code":"INVALID_TOKEN"');
  });

  test('a vendor key without a tenant is refused before its scopes are checked', async () => {
    const api = apiOf(story.server.baseUrl, await story.server.createVendorKey());
    const refused = await api('/v1/clients', { body: '{' });
    expectRefusal(refused, 'VENDOR_KEY_NOT_ALLOWED_ON_V1');
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer realm="plat", error="insufficient_scope"/);
    expectRefusal(await api('/v1/nothing'), 'VENDOR_KEY_NOT_ALLOWED_ON_V1');
  });

  test('a missing scope is named, in the message and in the challenge', async () => {
    const { apiKey } = await story.server.createTenant({ scopes: ['clients:read'] });
    const answer = await apiOf(story.server.baseUrl, apiKey)('/v1/clients', { body: { name: 'Acme' } });
    expectRefusal(answer, 'INSUFFICIENT_SCOPE');
    expect(answer.body.message).toContain('clients:write');
    expect(answer.headers.get('www-authenticate')).toContain('scope="clients:write"');
  });

  test('write does not imply read', async () => {
    const { apiKey } = await story.server.createTenant({ scopes: ['clients:write'] });
    expectRefusal(await apiOf(story.server.baseUrl, apiKey)('/v1/clients'), 'INSUFFICIENT_SCOPE');
  });

  test('HEAD gets the status and the headers of every GET, without a body', async () => {
    const { apiKey } = await story.server.createTenant();
    const names = ['content-type', 'content-length', HEADERS.rateLimit];
    for (const { method, path } of Object.values(OPERATIONS)) {
      if (method !== 'GET') continue;
      const url = story.server.baseUrl + path.replaceAll(/\{\w+\}/g, 'none');
      const [head, get] = [
        await fetch(url, { method: 'HEAD', headers: bearer(apiKey) }),
        await fetch(url, { headers: bearer(apiKey) }),
      ];
      const told = ({ status, headers }: Response) => [status, ...names.map((name) => headers.get(name))];
      expect([...told(head), await head.text()], path).toEqual([...told(get), '']);
      await get.text();
    }
  });

  test('malformed JSON is never answered before the gate', async () => {
    const { apiKey } = await story.server.createTenant({ scopes: ['clients:read'] });
    expectRefusal(await apiOf(story.server.baseUrl)('/v1/clients', { body: '{' }), 'INVALID_TOKEN');
    expectRefusal(await apiOf(story.server.baseUrl, apiKey)('/v1/clients', { body: '{' }), 'INSUFFICIENT_SCOPE');
  });

  test('a suspended tenant is frozen, and is unchanged when it is reactivated', async () => {
    const { tenantId, apiKey } = await story.server.createTenant();
    const api = apiOf(story.server.baseUrl, apiKey);
    const setStatus = (status: string) =>
      execute(story.server.db, 'UPDATE tenants SET status = :status WHERE id = :tenantId', { status, tenantId });
    await setStatus('suspended');
    expectRefusal(await api('/v1/me'), 'TENANT_SUSPENDED');
    expectRefusal(await api('/v1/clients', { body: '{' }), 'TENANT_SUSPENDED');
    await setStatus('active');
    expect((await api('/v1/me')).status).toBe(200);
  });

  test('a missing scope is refused before the state of the tenant', async () => {
    const { tenantId, apiKey } = await story.server.createTenant({ scopes: ['clients:read'] });
    const api = apiOf(story.server.baseUrl, apiKey);
    await story.server.setTenantStatus(tenantId, 'suspended');
    expectRefusal(await api('/v1/clients', { body: '{' }), 'INSUFFICIENT_SCOPE');
    expectRefusal(await api('/v1/clients'), 'TENANT_SUSPENDED');
  });

  test('a replaced key is refused from the next request on', async () => {
    const { tenantId, apiKey } = await story.server.createTenant();
    expect((await apiOf(story.server.baseUrl, apiKey)('/v1/me')).status).toBe(200);
    const next = await story.server.mintKey(tenantId);
    expectRefusal(await apiOf(story.server.baseUrl, apiKey)('/v1/me'), 'INVALID_TOKEN');
    expect((await apiOf(story.server.baseUrl, next)('/v1/me')).status).toBe(200);
  });
});

describe('a request without a route', () => {
  test('an unknown path or method is NOT_FOUND, behind the gate under /v1', async () => {
    const { apiKey } = await story.server.createTenant();
    const api = apiOf(story.server.baseUrl, apiKey);
    expectRefusal(await api('/v1/nothing'), 'NOT_FOUND');
    expectRefusal(await api('/v1/clients', { method: 'PUT', body: {} }), 'NOT_FOUND');
    expectRefusal(await api('/v1/Clients'), 'NOT_FOUND');
    expectRefusal(await api('/v1/clients/'), 'NOT_FOUND');
    expectRefusal(await api('/nothing'), 'NOT_FOUND');
    expectRefusal(await apiOf(story.server.baseUrl)('/v1/nothing'), 'INVALID_TOKEN');
  });

  test('a path that cannot be decoded is INVALID_REQUEST', async () => {
    const { apiKey } = await story.server.createTenant();
    expectRefusal(await apiOf(story.server.baseUrl, apiKey)('/v1/clients/%ff'), 'INVALID_REQUEST');
  });

  test('the target * is NOT_FOUND', async () => {
    const headers = [['Accept', 'application/json']] as const;
    const { status, text } = await sendRaw(story.server.baseUrl, { method: 'OPTIONS', path: '*', headers });
    expect(JSON.parse(text)).toEqual({ code: 'NOT_FOUND', message: 'There is no OPTIONS *' });
    expect(status).toBe(404);
  });

  test('input that is not HTTP gets an error body with a request id', async () => {
    const text = await raw(story.server.baseUrl, ['NONSENSE']);
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toMatch(/X-Request-Id: req_/i);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test("a caller's own request id is never echoed", async () => {
    const answer = await apiOf(story.server.baseUrl)('/livez', { headers: { 'x-request-id': 'mine' } });
    expect(answer.headers.get(HEADERS.requestId)).toMatch(/^req_/);
  });

  test('health needs no credential and reports whether the server can serve', async () => {
    expect(await apiOf(story.server.baseUrl)('/livez')).toMatchObject({ status: 200, body: { status: 'live' } });
    expect(await apiOf(story.server.baseUrl)('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });
});

/** Sends lines unchanged and returns everything that comes back. */
function raw(baseUrl: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    // The connection is not ended: a server may take that for a caller who has gone.
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}
