import { connect } from 'node:net';
import { HEADERS, LIMITS } from '@plat/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import { sendRaw } from '../support/raw-request.ts';
import { useServer } from '../support/story.ts';

/* The request log: the id of a refusal leads to the cause. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let api: Api;
let tenantId: string;
let apiKey: string;

beforeAll(async () => {
  ({ tenantId, apiKey } = await story.server.createSandbox());
  api = apiOf(story.server.baseUrl, apiKey);
});

const idOf = ({ headers }: Answer): string => headers.get(HEADERS.requestId) ?? '';
const logged = async (answer: Answer) => (await api(`/v1/requests/${idOf(answer)}`)).body;
const list = async (query: string, as = api) => (await as(`/v1/requests?${query}`)).body.data;

describe('a request', () => {
  test('that was refused is found by its id, with the cause, at once', async () => {
    const body = { nmae: 'Acme' };
    const headers = { 'Idempotency-Key': 'order-1742', 'User-Agent': 'acme/1.0' };
    const refused = await api('/v1/clients', { body, headers });
    const entry = await logged(refused);
    expect(entry).toEqual({
      object: 'request',
      id: idOf(refused),
      method: 'POST',
      path: '/v1/clients',
      query: null,
      operation: 'clients.create',
      outcome: 'failed',
      status: 400,
      error: { code: refused.body.code, message: refused.body.message, errors: refused.body.errors },
      credential: { type: 'api_key', id: expect.stringMatching(/^key_/), app_id: null },
      idempotency_key: 'order-1742',
      idempotent_replayed: false,
      ip: '127.0.0.1',
      user_agent: 'acme/1.0',
      duration_ms: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
    });
    expect(entry.duration_ms).toBeGreaterThan(0);
    expect(await logged(await api('/v1/users?limit=5'))).toMatchObject({ query: 'limit=5' });
    expect(await logged(await api('/v1/users?limit=5&status=none'))).toMatchObject({
      query: 'limit=…&status=…',
      error: { code: 'INVALID_REQUEST', errors: [{ path: 'status' }] },
    });
  });

  test('that succeeded has no error, and a repeated one is marked as an idempotent replay', async () => {
    const call = { body: { name: 'Acme' }, headers: { 'Idempotency-Key': 'once' } };
    expect(await logged(await api('/v1/clients', call))).toMatchObject({
      outcome: 'succeeded',
      status: 201,
      error: null,
      idempotent_replayed: false,
    });
    expect(await logged(await api('/v1/clients', call))).toMatchObject({ status: 201, idempotent_replayed: true });
  });

  test('whose replayed response was a refusal has the refusal again', async () => {
    const conflict = { body: { name: 'Other', slug: 'taken' }, headers: { 'Idempotency-Key': 'taken' } };
    await api('/v1/clients', { body: { name: 'Taken', slug: 'taken' } });
    await api('/v1/clients', conflict);
    const entry = await logged(await api('/v1/clients', conflict));
    expect(entry).toMatchObject({
      status: 409,
      idempotent_replayed: true,
      error: { code: 'SLUG_IN_USE', errors: null },
    });
  });

  test('for an unknown path is logged without an operation', async () => {
    const entry = await logged(await api('/v1/cleints'));
    expect(entry).toMatchObject({ path: '/v1/cleints', operation: null, status: 404, error: { code: 'NOT_FOUND' } });
  });

  test.each([
    ['/v1', '/v1', null],
    ['http://user@proxy.example/v1/nothing?limit=1', '/v1/nothing', 'limit=…'],
  ])('for the target %s is logged with its path, and answered with it', async (target, path, query) => {
    const headers = [['Authorization', `Bearer ${apiKey}`] as const];
    const answer = await sendRaw(story.server.baseUrl, { method: 'GET', path: target, headers });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text).message).toBe(`There is no GET ${path}`);
    const id = String(answer.headers[HEADERS.requestId.toLowerCase()]);
    expect((await api(`/v1/requests/${id}`)).body).toMatchObject({ path, query, status: 404 });
  });

  test('for a host without a path is for the path /', async () => {
    const target = { method: 'GET', path: 'HTTPS://proxy.example?a=1', headers: [['Accept', 'text/html']] } as const;
    const { headers } = await sendRaw(story.server.baseUrl, target);
    expect(headers['location']).toBe('/sign-in?return_to=%2F%3Fa%3D1');
  });

  test('whose caller disconnected has no status', async () => {
    const fault = { kind: 'cut', operation: 'roles.list' };
    await apiOf(story.server.baseUrl)('/_dev/faults', { body: { ...fault, tenant_id: tenantId, when: 'after' } });
    await expect(api('/v1/roles')).rejects.toThrow();
    await expect.poll(() => list('operation=roles.list')).toMatchObject([{ status: null, outcome: 'failed' }]);
  });

  test('is logged without secrets that were sent in the wrong place', async () => {
    const secret = `whsec_${'s'.repeat(40)}`;
    const answer = await api(`/v1/clients/${apiKey}?slug=${secret}`, {
      headers: { 'User-Agent': apiKey, 'Idempotency-Key': apiKey },
    });
    const text = JSON.stringify(await logged(answer));
    const unprefixed = 's'.repeat(43);
    expect(JSON.stringify(await logged(await api(`/v1/${unprefixed}`)))).not.toContain(unprefixed);
    expect(text).not.toContain(apiKey);
    expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({ path: '/v1/clients/…', query: 'slug=…', user_agent: 'plat_test_…' });
  });

  test('with hundreds of errors in its body is logged with the first fifty of them', async () => {
    const body = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`field${n}`, 1]));
    const entry = await logged(await api('/v1/clients', { body }));
    expect(entry.error.errors).toHaveLength(50);
  });
});

describe('the list', () => {
  test('is filtered by outcome, code, method, operation, credential and time', async () => {
    const { apiKey: key } = await story.server.createSandbox();
    const own = apiOf(story.server.baseUrl, key);
    await own('/v1/clients');
    const wrong = await own('/v1/clients', { body: {} });
    await own('/v1/users?status=none');
    const all = await list('', own);
    expect(all.map(({ operation }: { operation: string }) => operation)).toEqual([
      'users.list',
      'clients.create',
      'clients.list',
    ]);
    const find = async (query: string) => (await list(query, own)).map(({ status }: { status: number }) => status);
    expect(await find('outcome=succeeded')).toEqual([200]);
    expect(await find('outcome=failed')).toEqual([400, 400]);
    expect(await find('code=INVALID_BODY')).toEqual([400]);
    expect(await find('method=GET')).toEqual([400, 200]);
    expect(await find('operation=clients.list')).toEqual([200]);
    expect(await find(`credential_id=${all[0].credential.id}`)).toHaveLength(3);
    expect(await find('credential_id=key_00000000000000000000000001')).toEqual([]);
    expect(await find(`created_after=${all[0].created_at}`)).toEqual([]);
    expect(await find(`starting_after=${idOf(wrong)}`)).toEqual([200]);
    expectRefusal(await own('/v1/requests?outcome=broken&code=NO_SUCH'), 'INVALID_REQUEST', ['outcome', 'code']);
  });

  test('leaves out successful reads of the log itself, but not a read that failed', async () => {
    const { apiKey: key } = await story.server.createSandbox();
    const own = apiOf(story.server.baseUrl, key);
    await list('', own);
    const failed = await own('/v1/requests/req_00000000000000000000000001');
    expectRefusal(failed, 'REQUEST_NOT_FOUND');
    expect((await own(`/v1/trace/${idOf(failed)}`)).status).toBe(200);
    expect(await list('', own)).toMatchObject([{ operation: 'requests.get', error: { code: 'REQUEST_NOT_FOUND' } }]);
  });

  test('needs the scope audit:read', async () => {
    const { apiKey: key } = await story.server.createTenant({ scopes: ['clients:read'] });
    expectRefusal(await apiOf(story.server.baseUrl, key)('/v1/requests'), 'INSUFFICIENT_SCOPE');
  });
});

test('requests that come all at once, many on each connection, are logged, each with its own data', async () => {
  const sandbox = await story.server.createSandbox();
  const agents = Array.from({ length: 250 }, (_, n) => `caller/${n}`);
  const { pipelined: perConnection } = LIMITS.connection;
  const parts = Array.from({ length: agents.length / perConnection }, (_, n) =>
    agents.slice(n * perConnection, (n + 1) * perConnection),
  );
  const responses = (await Promise.all(parts.map((part) => pipelined(sandbox.apiKey, part)))).flat();
  const agentOf = new Map(responses.map(({ id }, n) => [id, agents[n]]));
  expect(agentOf.size).toBe(agents.length);
  // A slow machine refuses some of them as overload, before they are logged.
  const served = responses.flatMap(({ id, status }) => (status === 200 ? [id] : []));
  console.log('SERVED', served.length);
  expect(served.length).toBeGreaterThanOrEqual(perConnection);

  const own = apiOf(story.server.baseUrl, sandbox.apiKey);
  const logged: (readonly [id: string, agent: string])[] = [];
  for (let cursor = ''; ; cursor = `&starting_after=${logged.at(-1)?.[0]}`) {
    const page: { id: string; user_agent: string }[] = await list(`operation=me.get&limit=100${cursor}`, own);
    if (page.length === 0) break;
    logged.push(...page.map(({ id, user_agent: agent }) => [id, agent] as const));
  }
  expect(logged).toEqual(logged.map(([id]) => [id, agentOf.get(id)]));
  expect(logged.map(([id]) => id)).toEqual(expect.arrayContaining(served));
});

interface Pipelined {
  readonly id: string;
  readonly status: number;
}

/** Sends `GET /v1/me` for each user agent without waiting for a response. Resolves to the responses, in order. */
async function pipelined(key: string, agents: readonly string[]): Promise<Pipelined[]> {
  const { hostname, port, host } = new URL(story.server.baseUrl);
  const heads = agents.map((agent) => `Host: ${host}\r\nAuthorization: Bearer ${key}\r\nUser-Agent: ${agent}\r\n`);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(heads.map((head) => `GET /v1/me HTTP/1.1\r\n${head}\r\n`).join(''));
  const headOf = /HTTP\/1\.1 (\d+) [\s\S]*?^x-request-id: (\w+)\r$/gim;
  const responsesIn = (text: string): Pipelined[] =>
    Array.from(text.matchAll(headOf), ([, status, id = '']) => ({ id, status: Number(status) }));
  let answers = '';
  for await (const chunk of socket) {
    answers += chunk;
    if (responsesIn(answers).length === agents.length) break;
  }
  return responsesIn(answers);
}

describe('a tenant that is not a sandbox', () => {
  test('finds its failed requests only', async () => {
    const { apiKey: key } = await story.server.createTenant({ sandbox: false });
    const own = apiOf(story.server.baseUrl, key);
    await own('/v1/clients');
    await own('/v1/clients', { body: {} });
    expect(await list('', own)).toMatchObject([{ operation: 'clients.create', error: { code: 'INVALID_BODY' } }]);
  });
});

describe('in the development mode', () => {
  test('a request with a wrong key is shown to loopback callers, and to no tenant', async () => {
    const refused = await apiOf(story.server.baseUrl, 'plat_test_wrong')('/v1/clients');
    const { body: all } = await apiOf(story.server.baseUrl)('/_dev/requests?outcome=failed&limit=100');
    const found = all.find(({ id }: { id: string }) => id === idOf(refused));
    expect(found).toMatchObject({ tenant_id: null, credential: null, error: { code: 'INVALID_TOKEN' } });
    expectRefusal(await api(`/v1/requests/${idOf(refused)}`), 'REQUEST_NOT_FOUND');
  });
});
