import { inspect } from 'node:util';
import type { Installation } from '@plat/contract';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import type { ListCall } from '../list/list-call.ts';
import { refusal } from '../testing/build.ts';
import { json, serve } from '../testing/serve.ts';
import { DeveloperApi } from './developer-api.ts';
import type { DeveloperApiOptions } from './developer-api-options.ts';

const TOKEN = 'plat_dv_SeCrEtSeCrEtSeCrEtSeCrEtSeCrEt012345';
const APP = 'app_01k0z8k3v7e5q2m9t4r6w1x8c0';
afterEach(() => vi.unstubAllEnvs());

test('a list is followed over its pages, and each request carries the token', async () => {
  const server = await serve((response, request) => {
    const isFirst = !request.url?.includes('starting_after');
    const data = [{ object: 'installation', id: isFirst ? 'gra_2' : 'gra_1' }];
    json(response, 200, { object: 'list', data, has_more: isFirst, url: '' });
  });
  const developer = new DeveloperApi({ token: TOKEN, baseUrl: server.url });
  const list = developer.apps.installations.list(APP, { state: 'active' });
  expectTypeOf(list).toEqualTypeOf<ListCall<Installation>>();
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  expect(ids).toEqual(['gra_2', 'gra_1']);
  const path = `/developer/v1/apps/${APP}/installations?state=active&limit=100`;
  expect(server.received.map(({ url }) => url)).toEqual([path, `${path}&starting_after=gra_2`]);
  for (const { headers } of server.received) expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test('a refusal is an ApiError, and hooks name the operation as the OpenAPI document does', async () => {
  const server = await serve((response) => {
    json(response, 404, { code: 'APP_NOT_FOUND', message: `no app ${TOKEN}` });
  });
  const seen: unknown[] = [];
  const hooks = { onError: (event: unknown) => seen.push(event) };
  const developer = new DeveloperApi({ token: () => TOKEN, baseUrl: server.url, hooks });
  const error = await refusal(developer.apps.get(APP), ApiError);
  expect(error).toMatchObject({ code: 'APP_NOT_FOUND', status: 404, requestId: expect.stringMatching(/^req_/) });
  expect(seen).toMatchObject([{ operation: 'developer.apps.get', error }]);
  for (const each of [developer, error, seen, developer.apps]) {
    expect(inspect(each, { depth: 20, showHidden: true, getters: true })).not.toContain('SeCrEt');
  }
});

test('a path without a method is called with the same token, and await using closes the connections', async () => {
  let closed = 0;
  const sent: unknown[] = [];
  const transport = {
    async send(request: unknown) {
      sent.push(request);
      return { status: 200, headers: new Headers(), body: '{"object":"developer"}' };
    },
    close: () => void closed++,
  };
  {
    await using developer = new DeveloperApi({ token: TOKEN, baseUrl: 'http://127.0.0.1:1', transport });
    expect(await developer.request('GET', '/developer/v1/me')).toEqual({ object: 'developer' });
  }
  expect(sent).toMatchObject([{ headers: { authorization: `Bearer ${TOKEN}` } }]);
  expect(closed).toBe(1);
});

describe('the environment', () => {
  async function tokenSent(options: DeveloperApiOptions): Promise<string | undefined> {
    const server = await serve((response) => json(response, 200, {}));
    vi.stubEnv('PLAT_BASE_URL', server.url);
    await new DeveloperApi(options).me.get();
    return server.received[0]?.headers.authorization;
  }

  test('has address and token of a client without options', async () => {
    vi.stubEnv('PLAT_DEVELOPER_TOKEN', TOKEN);
    // The key of the sandbox opens nothing of this API.
    vi.stubEnv('PLAT_API_KEY', 'plat_test_x');
    expect(await tokenSent({})).toBe(`Bearer ${TOKEN}`);
  });

  test('yields to an option', async () => {
    vi.stubEnv('PLAT_DEVELOPER_TOKEN', TOKEN);
    expect(await tokenSent({ token: 'plat_dv_given' })).toBe('Bearer plat_dv_given');
  });
});

test.each<[object, string, RegExp]>([
  [{}, 'token', /PLAT_DEVELOPER_TOKEN/],
  [{ token: '' }, 'token', /empty/],
  [{ token: `${TOKEN}\n` }, 'token', /white space/],
  [{ token: TOKEN, apiKey: 'plat_test_x' }, 'apiKey', /did you mean token\?/],
  [{ token: TOKEN, credential: TOKEN }, 'credential', /did you mean token\?/],
  [{ token: TOKEN, retries: 1 }, 'retries', /did you mean maxRetries\?/],
  [{ token: TOKEN, maxRetries: -1 }, 'maxRetries', /whole number/],
])('the options %o are refused with their name and without the token', (options, argument, message) => {
  const make = () => new DeveloperApi({ baseUrl: 'http://127.0.0.1:1', ...options });
  expect(make).toThrow(InvalidArgumentError);
  expect(make).toThrow(expect.objectContaining({ argument }));
  expect(make).toThrow(message);
  expect(make).not.toThrow('SeCrEt');
});
