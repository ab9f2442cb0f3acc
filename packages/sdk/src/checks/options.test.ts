import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { nodeTransport } from '../node.ts';
import { memoryStore, OAuth, sqlStore } from '../oauth.ts';
import { Platform } from '../platform.ts';
import { refusal } from '../testing/build.ts';

const base = { baseUrl: 'http://127.0.0.1:1', apiKey: 'plat_test_x' };
const app = { ...base, clientId: 'app_1', clientSecret: 'plat_cs_x', redirectUri: 'https://app.example/callback' };
const { apiKey: _, ...oauth } = { ...app, store: memoryStore() };

/** Calls a constructor or function as JavaScript can, and returns its error. */
function thrownBy(make: (options: never) => unknown, options: unknown): unknown {
  try {
    return make(options as never);
  } catch (error) {
    return error;
  }
}

test.each<[string, (options: never) => unknown, object, string, RegExp]>([
  ['Platform', (given) => new Platform(given), { ...base, retries: 3 }, 'retries', /did you mean maxRetries\?/],
  ['Platform', (given) => new Platform(given), { apiKey: 'x', baseURL: 'x' }, 'baseURL', /did you mean baseUrl\?/],
  ['Platform', (given) => new Platform(given), { ...base, base_url: 'x' }, 'base_url', /did you mean baseUrl\?/],
  ['Platform', (given) => new Platform(given), { token: 'x' }, 'token', /did you mean credential\?/],
  ['Platform', (given) => new Platform(given), { ...base, colour: 1 }, 'colour', /the options are apiKey, /],
  ['Platform.withOptions', (given) => new Platform(base).withOptions(given), { retries: 0 }, 'retries', /maxRetries/],
  ['OAuth', (given) => new OAuth(given), { ...oauth, redirectURI: 'x' }, 'redirectURI', /did you mean redirectUri\?/],
  ['OAuth', (given) => new OAuth(given), { ...oauth, secret: 'x' }, 'secret', /did you mean clientSecret\?/],
  [
    'OAuth',
    (given) => new OAuth(given),
    { ...oauth, platform: { retries: 1 } },
    'retries',
    /did you mean maxRetries\?/,
  ],
  ['nodeTransport', (given) => nodeTransport(given), { rejectUnauthorized: false }, 'rejectUnauthorized', /tls/],
  [
    'nodeTransport',
    (given) => nodeTransport(given),
    { agent: new Agent() },
    'agent',
    /function.*agent: \(\) => myAgent/,
  ],
  ['nodeTransport', (given) => nodeTransport(given), { maxSockets: -1 }, 'maxSockets', /1 or above/],
  ['nodeTransport', (given) => nodeTransport(given), { idleTimeout: Number.NaN }, 'idleTimeout', /0 or above/],
  ['sqlStore', (given) => sqlStore(given), { query: () => [], tableName: 'x' }, 'tableName', /did you mean table\?/],
])('%s refuses an unknown or invalid option, and names the right one', (_name, make, options, argument, message) => {
  const error = thrownBy(make, options);
  expect(error).toBeInstanceOf(InvalidArgumentError);
  expect(error).toMatchObject({ argument, message: expect.stringMatching(message) });
});

test.each<[string, (options: never) => unknown]>([
  ['Platform', (given) => new Platform(given)],
  ['OAuth', (given) => new OAuth(given)],
  ['sqlStore', (given) => sqlStore(given)],
])('%s without options throws an error of this package', (_name, make) => {
  for (const nothing of [undefined, null, 'plat_test_x']) {
    expect(thrownBy(make, nothing)).toBeInstanceOf(InvalidArgumentError);
  }
});

test('a call refuses an unknown option, and sends nothing', async () => {
  const platform = new Platform(base);
  for (const call of [
    Reflect.apply(platform.me.get, undefined, [{ retries: 3 }]),
    Reflect.apply(platform.clients.list, undefined, [{}, { retries: 3 }]),
    Reflect.apply(platform.request, platform, ['GET', '/v1/me', { retries: 3 }]),
  ]) {
    const error = await refusal(call, InvalidArgumentError);
    expect(error).toMatchObject({ argument: 'retries', attempts: 0, message: expect.stringMatching(/maxRetries/) });
  }
});
