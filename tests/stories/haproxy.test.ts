import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:http2';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { HEADERS, isId, timeOfId } from '@plat/contract';
import { ApiError, Platform } from '@plat/sdk';
import { nodeTransport } from '@plat/sdk/node';
import { createTestServer, newId, ROUTES, type Route, type TestServer } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Answer, type Api, apiOf, expectForm, expectRefusal } from '../support/api.ts';
import { selfSigned } from '../support/certificate.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { readEvents } from '../support/event-source.ts';
import { type Haproxy, hasHaproxy, startHaproxy } from '../support/haproxy.ts';
import { expectOAuthRefusal, postForm } from '../support/oauth.ts';
import { startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* HAProxy with deploy/haproxy/haproxy.cfg in front of servers. */

/** Calls in progress of one credential that the configuration admits, and those that count as few. */
const [MOST, FEW] = [192, 8];
/** Calls of callers with many and with few that one server runs, and that wait for it. */
const [HEAVY, LIGHT] = [32 + 192, 32 + 128];

/** Lists of groups are held until the story releases them. */
let held: Promise<void> = Promise.resolve();

function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return resolve;
}

const routes: readonly Route[] = ROUTES.map((route) =>
  route.name !== 'groups.list'
    ? route
    : {
        ...route,
        async read(ctx, input) {
          await held;
          return route.read(ctx, input);
        },
      },
);

/** Starts a process that holds lists of groups without limits, and forwards other requests. */
async function startGate(server: TestServer): Promise<number> {
  const gate = createServer(async (req, res) => {
    if (req.url === '/v1/groups') {
      await held;
      res.setHeader(HEADERS.requestId, newId('request'));
      return void res.end('{}');
    }
    const { method = '', headers } = req;
    const onward = request(server.baseUrl + req.url, { method, headers }, (response) => {
      res.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(res);
    });
    req.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  onTestFinished(() => {
    gate.closeAllConnections();
    gate.close();
  });
  return (gate.address() as AddressInfo).port;
}

describe.skipIf(!hasHaproxy())('behind HAProxy with the shipped configuration', () => {
  let database: FreshDatabase;
  let server: TestServer;
  let proxy: Haproxy;

  beforeAll(async () => {
    database = await migratedDatabase();
    const env = {
      ...{ PLAT_RATE_LIMIT: '100000', PLAT_ADDRESS_RATE_LIMIT: '100000' },
      PLAT_TRUSTED_PROXIES: '127.0.0.1/32',
    };
    server = await createTestServer({ databaseUrl: database.url, routes, env });
    proxy = await startHaproxy([portOf(server.baseUrl)]);
  });
  afterAll(async () => {
    await proxy?.stop();
    await server?.close();
    await database?.drop();
  });

  const newApi = async ({ baseUrl } = proxy): Promise<Api> => apiOf(baseUrl, (await server.createTenant()).apiKey);
  const startGated = async (): Promise<Haproxy> => {
    // Calls wait for each other, however slow the machine is.
    const replaced = { 'timeout queue 2s': 'timeout queue 100s' };
    const gated = await startHaproxy([await startGate(server)], { replaced });
    onTestFinished(() => gated.stop());
    return gated;
  };

  test('calls pass with their headers and bodies, up to the limits of the server', async () => {
    const api = await newApi();
    const created = await api('/v1/clients', { body: { name: 'Acme' } });
    expect(created.status).toBe(201);
    expect((await api(`/v1/clients/${created.body.id}`)).body).toEqual(created.body);
    // The refusal of the server shows that it has read a body that is larger than the buffer of the proxy.
    const large = { name: 'Acme', metadata: { text: 'a'.repeat(200_000) } };
    expectRefusal(await api('/v1/clients', { body: large }), 'INVALID_BODY');
    expect((await api('/v1/me', { headers: { 'x-long': 'a'.repeat(15_500) } })).status).toBe(200);
    const tooLarge = await api('/v1/clients', { body: { name: 'a'.repeat(300_000) } });
    expectRefusal(tooLarge, 'PAYLOAD_TOO_LARGE');
  });

  test('the server sees the address of the caller, and no page of the development mode is open', async () => {
    const { apiKey } = await server.createTenant();
    const { port } = proxy;
    const headers = { authorization: `Bearer ${apiKey}` };
    // A caller with another loopback address, which no proxy has.
    const sent = request({ port, host: '127.0.0.1', localAddress: '127.0.0.2', path: '/v1/clients/unknown', headers });
    sent.end();
    const [response] = await once(sent, 'response');
    response.resume();
    const id = response.headers['x-request-id'];
    const { body } = await apiOf(proxy.baseUrl, apiKey)(`/v1/requests/${id}`);
    expect(body.ip).toBe('127.0.0.2');
    expect((await fetch(`${proxy.baseUrl}/_dev/mail`)).status).toBe(404);
  });

  test('while one tenant floods a server, others are served by its shares', async () => {
    const [busy, quiet] = [await newApi(), await newApi()];
    const release = hold();
    const flood = Array.from({ length: MOST + 50 }, () => busy('/v1/groups'));
    for (const answer of await firstOf(flood, 1)) expectRefusal(answer, 'SERVICE_UNAVAILABLE');
    expect((await quiet('/v1/clients', { body: { name: 'Acme' } })).status).toBe(201);
    release();
    const counts = countOf(await Promise.all(flood));
    expect(Object.keys(counts)).toEqual(['200', '503']);
  });

  test('a credential has a limit of calls in progress, and refusals have the form of the platform', async () => {
    const { metric, baseUrl } = await startGated();
    const { apiKey } = await server.createTenant();
    const busy = apiOf(baseUrl, apiKey);
    const release = hold();
    // Servers accept each of these spellings.
    const spelled = ['Bearer ', 'bearer ', 'Bearer  '].map((scheme) => ({ authorization: scheme + apiKey }));
    const flood = Array.from({ length: MOST + 50 }, (_, i) => busy('/v1/groups', { headers: spelled[i % 3] ?? {} }));
    const refused = await firstOf(flood, 50);
    for (const answer of refused) {
      expectRefusal(answer, 'SERVICE_UNAVAILABLE');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'retry-after': '1',
        'x-content-type-options': 'nosniff',
      });
    }
    const ids = refused.map(({ headers }) => headers.get(HEADERS.requestId) ?? '');
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(Math.abs(Date.now() - timeOfId(id))).toBeLessThan(600_000);
    release();
    expect(countOf(await Promise.all(flood))).toEqual({ 200: MOST, 503: 50 });
    expect(await metric('haproxy_backend_requests_denied_total{proxy="heavy"}')).toBe(50);
  });

  test('while the queue of callers with many calls is full, others pass, and while theirs is full, they are refused too', async () => {
    const gated = await startGated();
    const waitingIn = (queue: string) => gated.metric(`haproxy_backend_current_queue{proxy="${queue}"}`);
    const release = hold();
    const held: Promise<Answer>[] = [];
    const send = async (count: number): Promise<readonly Promise<Answer>[]> => {
      const api = await newApi(gated);
      return Array.from({ length: count }, () => api('/v1/groups'));
    };
    for (let i = 0; i < 2; i++) held.push(...(await send(HEAVY / 2 + FEW)));
    await expect.poll(() => waitingIn('heavy')).toBe(HEAVY - 32);
    const next = await send(FEW + 12);
    for (const answer of await firstOf(next, 12)) expectRefusal(answer, 'SERVICE_UNAVAILABLE');
    // Three callers have few calls of these.
    for (let admitted = 3 * FEW; admitted < LIGHT; admitted += FEW) held.push(...(await send(FEW)));
    await expect.poll(() => waitingIn('light')).toBe(LIGHT - 32);
    for (const call of await send(FEW)) expectRefusal(await call, 'SERVICE_UNAVAILABLE');
    // Pages and probes do not wait.
    for (const path of ['/livez', '/readyz', '/sign-in']) expect((await fetch(gated.baseUrl + path)).status).toBe(200);
    release();
    expect(countOf(await Promise.all(next))).toEqual({ 200: FEW, 503: 12 });
    expect(countOf(await Promise.all(held))).toEqual({ 200: HEAVY + LIGHT - FEW });
  });

  test('the SDK understands a refusal, and repeats the call after Retry-After', async () => {
    const { baseUrl } = await startGated();
    const { apiKey } = await server.createTenant();
    const release = hold();
    const flood = Array.from({ length: MOST + 1 }, () => apiOf(baseUrl, apiKey)('/v1/groups'));
    await firstOf(flood, 1);
    const withoutRetries = new Platform({ apiKey, baseUrl, maxRetries: 0 });
    const error = await withoutRetries.clients.create({ name: 'Acme' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 1, rateLimit: null });
    expect(error).toHaveProperty(
      'requestId',
      expect.toSatisfy((id: unknown) => isId('request', id)),
    );

    const delays: number[] = [];
    const onRetry = ({ delay }: { readonly delay: number }) => {
      delays.push(delay);
      release();
    };
    const plat = new Platform({ apiKey, baseUrl, hooks: { onRetry } });
    expect((await plat.clients.create({ name: 'Acme' })).name).toBe('Acme');
    expect(delays).toEqual([expect.toSatisfy((delay: number) => delay >= 1000 && delay <= 1100)]);
    await Promise.all(flood);
  });

  test('the live tail of the console passes through', async () => {
    const { session, apiKey } = await signedInDeveloper(server);
    const reader = await readEvents(`${proxy.baseUrl}/console/requests/tail`, session.cookie);
    onTestFinished(() => reader.close());
    const { headers } = await apiOf(proxy.baseUrl, apiKey)('/v1/me');
    const sent = await reader.next();
    expect([sent?.event, sent?.data.id]).toEqual(['request', headers.get('x-request-id')]);
  });

  test('TLS ends at the proxy when it has a certificate, and callers may speak HTTP/2', async () => {
    const { cert, key } = selfSigned({ hosts: ['127.0.0.1'] });
    const certificate = `${tempFolder('haproxy').path}/api.pem`;
    writeFileSync(certificate, cert + key);
    const tls = await startHaproxy([portOf(server.baseUrl)], { env: { PLAT_CERTIFICATE: certificate } });
    onTestFinished(() => tls.stop());
    const { apiKey } = await server.createTenant();
    const transport = nodeTransport({ tls: { ca: cert } });
    onTestFinished(() => transport.close?.());
    expect((await new Platform({ apiKey, baseUrl: tls.baseUrl, transport }).me.get()).object).toBe('me');
    const [response] = await once(get(`${tls.baseUrl}/livez`, { ca: cert }), 'response');
    response.resume();
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');

    const session = connect(tls.baseUrl, { ca: cert });
    onTestFinished(() => session.close());
    const call = session.request({ ':path': '/v1/me', authorization: `Bearer ${apiKey}` });
    const [headers] = await once(call, 'response');
    expect([session.alpnProtocol, headers[':status']]).toEqual(['h2', 200]);
    expect(headers['x-request-id']).toSatisfy((id: unknown) => isId('request', id));
    expect(JSON.parse(await text(call))).toMatchObject({ object: 'me' });
  });
});

describe.skipIf(!hasHaproxy())('servers that end or break', () => {
  test('a server that ends is taken out without a failed request, and the last one leaves refusals', async () => {
    const database = await migratedDatabase();
    onTestFinished(() => database.drop());
    const dataDir = tempFolder('haproxy').path;
    const env = { DATABASE_URL: database.url, PLAT_RATE_LIMIT: '100000' };
    const servers = await Promise.all([startServerProcess(env, dataDir), startServerProcess(env, dataDir)]);
    const [first, second] = servers;
    if (!first || !second) throw new Error('two servers were started');
    onTestFinished(async () => void (await Promise.all(servers.map((process) => process.stop()))));
    const here = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });
    const { apiKey } = await here.createTenant({ sandbox: false });
    await here.close();
    const proxy = await startHaproxy([portOf(first.baseUrl), portOf(second.baseUrl)]);
    onTestFinished(() => proxy.stop());
    const api = apiOf(proxy.baseUrl, apiKey);
    const isDown = (server: string) =>
      proxy.metric(`haproxy_server_status{proxy="direct",server="${server}",state="DOWN"}`);

    let isOver = false;
    const answers: Answer[] = [];
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) answers.push(await api('/v1/clients'));
    });
    await expect.poll(() => answers.length).toBeGreaterThan(50);
    await first.stop();
    await expect.poll(() => isDown('server1')).toBe(1);
    const before = answers.length;
    await expect.poll(() => answers.length).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(callers);
    expect(countOf(answers)).toEqual({ 200: answers.length });

    await second.stop();
    await expect.poll(() => isDown('server2')).toBe(1);
    const refused = await api('/v1/clients');
    expectRefusal(refused, 'SERVICE_UNAVAILABLE');
    expect(refused.headers.get('retry-after')).toBe('1');
    for (const path of ['/console', '/livez']) expectRefusal(await api(path), 'SERVICE_UNAVAILABLE');
    const token = await postForm(`${proxy.baseUrl}/oauth/token`, { grant_type: 'refresh_token' });
    expectOAuthRefusal(token, 'SERVICE_UNAVAILABLE', 'temporarily_unavailable');
  });

  test('a lost connection, a late response and a late request have error bodies of the platform', async () => {
    const broken = createServer((req, res) => {
      if (req.url === '/readyz') res.end('{}');
      else if (req.url === '/v1/lost') req.socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    onTestFinished(() => {
      broken.closeAllConnections();
      broken.close();
    });
    const { port } = broken.address() as AddressInfo;
    const startWith = async (replaced: Readonly<Record<string, string>>): Promise<Haproxy> => {
      const proxy = await startHaproxy([port], { replaced });
      onTestFinished(() => proxy.stop());
      return proxy;
    };
    const proxy = await startWith({ 'timeout server 60s': 'timeout server 50ms' });
    const api = apiOf(proxy.baseUrl, 'plat_live_unknown');
    for (const path of ['/v1/lost', '/v1/late']) {
      const refused = await api(path, { body: {} });
      expectRefusal(refused, 'SERVICE_UNAVAILABLE');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(refused.body.message).toContain('may or may not have been made');
    }
    const strict = await startWith({ 'timeout http-request 60s': 'timeout http-request 1s' });
    const late = request({
      port: strict.port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/clients',
      headers: { 'content-length': 5 },
    });
    late.flushHeaders();
    const [response] = await once(late, 'response');
    const headers = new Headers({ 'x-request-id': response.headers['x-request-id'] });
    const answer = { status: response.statusCode, headers, body: JSON.parse(await text(response)) };
    expectForm(answer);
    expectRefusal(answer, 'INVALID_REQUEST', ['']);
  });
});

function portOf(baseUrl: string): number {
  return Number(new URL(baseUrl).port);
}

/** Returns the first answers of calls, of which others may wait. */
async function firstOf(calls: readonly Promise<Answer>[], count: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const call of calls) void call.then((answer) => answers.push(answer));
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(count);
  return answers.slice(0, count);
}

function countOf(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
