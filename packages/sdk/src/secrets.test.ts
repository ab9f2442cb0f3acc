import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Platform } from './platform.ts';
import { API_KEY, client, platformFor } from './testing/build.ts';
import { impatientClock } from './testing/fake-clock.ts';
import { json, serve } from './testing/serve.ts';

const SECRET = 'SeCrEt';
/** A credential without a known prefix, such as one of a gateway. */
const FOREIGN = 'gw-SeCrEt-token-9';

function printed(value: unknown): string {
  const text = [inspect(value, { depth: 20, showHidden: true, getters: true }), String(value)];
  text.push(JSON.stringify(value) ?? '');
  if (value instanceof Error) text.push(value.message, value.stack ?? '', inspect(value.cause, { showHidden: true }));
  return text.join('\n');
}

test.each([
  ['an API key', { apiKey: API_KEY }],
  ['a credential function', { credential: () => FOREIGN }],
])('a client created with %s shows no key in any printed form', (_, access) => {
  const platform = new Platform({ ...access, baseUrl: 'http://127.0.0.1:1' });
  expect(printed(platform)).not.toContain(SECRET);
  expect(printed(platform.withOptions({ maxRetries: 0 }).clients)).not.toContain(SECRET);
  expect(printed(platform.clients.list())).not.toContain(SECRET);
});

test.each([API_KEY, FOREIGN])('no error shows the key, even if a proxy echoes it (%#)', async (key) => {
  const bearer = `Bearer ${key}`;
  const server = await serve((response, request) => {
    const { authorization = '' } = request.headers;
    response.setHeader('x-request-id', authorization);
    const echo = { code: `X_${key}`, message: `you sent ${authorization}`, errors: [{ path: key, message: key }] };
    if (request.url === '/json') return json(response, 400, echo);
    if (request.url === '/html') return response.writeHead(502, { 'content-type': `text/html; ${key}` }).end(bearer);
    if (request.url === '/redirect') return response.writeHead(302, { location: `http://x.test/?k=${key}` }).end();
    return response.destroy();
  });
  const told: unknown[] = [];
  const hooks = { onResponse: (event: unknown) => told.push(event), onError: (event: unknown) => told.push(event) };
  const platform = platformFor(server.url, { credential: key, clock: impatientClock(), hooks });
  for (const path of ['/json', '/html', '/redirect', '/cut']) {
    const error = await platform.request('GET', path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(printed(error)).not.toContain(SECRET);
  }
  expect(told.length).toBeGreaterThan(6);
  expect(printed(told)).not.toContain(SECRET);
});

test('properties that a transport adds to its error are not exposed', async () => {
  const send = async () => {
    const config = { headers: { authorization: `Bearer ${API_KEY}` } };
    throw Object.assign(new Error(`failed with ${API_KEY}`, { cause: { config } }), { config, code: 'ETEST' });
  };
  const call = platformFor('http://x.test', { transport: { send }, maxRetries: 0 }).me.get();
  const error = await call.catch((reason: unknown) => reason);
  expect(printed(error)).not.toContain(SECRET);
  expect(error).toMatchObject({
    code: 'CONNECTION_FAILED',
    cause: { code: 'ETEST', message: 'failed with plat_test_…' },
  });
});

test('the error of a credential function is exposed without its secrets', async () => {
  const credential = () => {
    throw Object.assign(new Error('vault said plat_rt_SeCrEt'), { token: 'plat_rt_SeCrEt' });
  };
  const error = await platformFor('http://x.test', { credential })
    .me.get()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'CREDENTIAL_UNAVAILABLE', attempts: 0 });
  expect(printed(error)).not.toContain(SECRET);
});

test.each([
  ['apiKey', ` ${API_KEY}`, 'white space'],
  ['apiKey', `${API_KEY}\n`, 'white space'],
  ['apiKey', `${API_KEY}\r\nx-evil: 1`, 'white space'],
  ['apiKey', `${API_KEY}é`, 'not ASCII'],
  ['apiKey', '', 'empty'],
  ['apiKey', 'Bearer', 'Bearer'],
])('the option %s is refused without being shown (%#)', (option, key, reason) => {
  const make = () => new Platform({ [option]: key, baseUrl: 'http://127.0.0.1:1' });
  expect(make).toThrow(reason);
  const error = (() => {
    try {
      return make();
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'apiKey' });
  expect(printed(error)).not.toContain(SECRET);
});

test('hooks receive the headers without the key', async () => {
  const seen: unknown[] = [];
  const note = (event: unknown) => seen.push(event);
  const server = await serve((response, _, index) =>
    index === 0 ? json(response, 500, { code: 'INTERNAL_ERROR', message: API_KEY }) : json(response, 404, client('x')),
  );
  const hooks = { onRequest: note, onResponse: note, onRetry: note, onError: note };
  const platform = platformFor(server.url, { hooks, clock: impatientClock(), headers: { 'x-copy': API_KEY } });
  await platform.clients.create({ name: 'Acme' }).catch(note);
  expect(seen.length).toBe(7);
  expect(seen[0]).toMatchObject({ headers: { authorization: 'Bearer …', 'x-copy': 'plat_test_…' } });
  for (const event of seen) expect(printed(event)).not.toContain(SECRET);
});
