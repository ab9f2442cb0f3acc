import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { Fault } from '../testing/fake-service.ts';
import { grantScene, KEY, oauthFor } from '../testing/grants.ts';
import { serve } from '../testing/serve.ts';
import { createRecords } from './records.ts';

const SECRET = /SeCrEt/;

function printed(value: unknown): string {
  const text = [inspect(value, { depth: 20, showHidden: true, getters: true }), String(value)];
  text.push(JSON.stringify(value) ?? '');
  if (value instanceof Error) text.push(value.message, value.stack ?? '', printed(value.cause));
  return text.join('\n');
}

test('an OAuth, its clients, its credentials and the grants in memory show no token', async () => {
  const { oauth, platform } = await grantScene(3000);
  await platform.me.get();
  expect(printed(oauth)).not.toMatch(SECRET);
  expect(printed(platform)).not.toMatch(SECRET);
  expect(printed(oauth.credential(KEY))).not.toMatch(SECRET);
  expect(printed(await oauth.grant(KEY))).not.toMatch(SECRET);
  const registry: unknown = Reflect.get(globalThis, Symbol.for('@plat/sdk grants 3'));
  expect(registry).toBeDefined();
  expect(printed(registry)).not.toMatch(SECRET);
});

test('a record does not show its tokens when printed, and contains them when stored', async () => {
  const { store, clock } = await grantScene(3000);
  const found = await createRecords(store, undefined, clock).read(KEY);
  expect(printed(found?.record)).not.toMatch(SECRET);
  expect(found?.stored.value).toMatch(SECRET);
});

test('a pending authorization is printed without its verifier, and stored with it', async () => {
  const pending = await oauthFor('http://127.0.0.1:1').authorizationUrl({ scopes: ['me:read'] });
  expect(inspect(pending)).not.toContain(pending.codeVerifier);
  expect(JSON.stringify(pending)).toContain(pending.codeVerifier);
});

test.each<Fault>([
  'invalid_grant',
  'wrong secret',
  'suspended',
  'html after',
  'cut after',
  'half an answer',
  '500 after',
])('the error and the hooks after "%s" show no secret', async (fault) => {
  const told: unknown[] = [];
  const note = (event: unknown) => told.push(event);
  const hooks = { onRefreshed: note, onRefreshFailed: note, onGrantEnded: note };
  const { service, platform } = await grantScene(0, { hooks });
  service.faults.push(fault);
  const error = await platform.me.get().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(told.length).toBeGreaterThan(0);
  for (const each of [error, ...told]) expect(printed(each)).not.toMatch(SECRET);
});

test('a service that echoes the form does not put it into an error', async () => {
  const server = await serve((response, { body }) => {
    const echo = JSON.stringify({ code: 'INVALID_GRANT', message: decodeURIComponent(body) });
    response.writeHead(400, { 'content-type': 'application/json' }).end(echo);
  });
  const oauth = oauthFor(server.url, { clientSecret: 'gw-SeCrEt-client-secret' });
  const pending = await oauth.authorizationUrl({ scopes: ['me:read'] });
  const callback = { code: 'SeCrEt-code-of-16-characters', state: pending.state, iss: server.url };
  const error = await oauth.exchange(callback, pending).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'INVALID_GRANT' });
  expect(printed(error)).not.toMatch(SECRET);
  expect(printed(error)).not.toContain(pending.codeVerifier);
});
