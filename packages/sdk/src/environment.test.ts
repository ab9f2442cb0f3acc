import { afterEach, expect, test, vi } from 'vitest';
import { InvalidArgumentError } from './errors/usage-errors.ts';
import { Platform } from './platform.ts';
import { json, serve } from './testing/serve.ts';

const KEY = 'plat_test_FromTheEnvironment000000000000000';
afterEach(() => vi.unstubAllEnvs());

/** Returns the path and the key of the request that a client sends. */
async function sentBy(make: (url: string) => Platform): Promise<{ path: string | undefined; key: string | undefined }> {
  const server = await serve((response) => json(response, 200, {}));
  await make(server.url)
    .request('GET', '/v1/me')
    .catch(() => {});
  const [request] = server.received;
  return { path: request?.url, key: request?.headers.authorization };
}

test('without options, address and key come from the environment', async () => {
  const sent = await sentBy((url) => {
    vi.stubEnv('PLAT_BASE_URL', `${url}/prefix`);
    vi.stubEnv('PLAT_API_KEY', KEY);
    return new Platform();
  });
  expect(sent).toEqual({ path: '/prefix/v1/me', key: `Bearer ${KEY}` });
});

test('options win over the environment, and a credential replaces its key', async () => {
  const given = await sentBy((url) => {
    vi.stubEnv('PLAT_BASE_URL', 'http://127.0.0.1:9');
    vi.stubEnv('PLAT_API_KEY', KEY);
    return new Platform({ baseUrl: url, apiKey: 'given' });
  });
  expect(given).toEqual({ path: '/v1/me', key: 'Bearer given' });
  const withCredential = await sentBy((url) => new Platform({ baseUrl: url, credential: () => 'renewed' }));
  expect(withCredential.key).toBe('Bearer renewed');
});

test('clients with changed options keep what was read when the first one was created', async () => {
  const sent = await sentBy((url) => {
    vi.stubEnv('PLAT_BASE_URL', url);
    vi.stubEnv('PLAT_API_KEY', KEY);
    const platform = new Platform();
    vi.stubEnv('PLAT_BASE_URL', 'http://127.0.0.1:9');
    vi.stubEnv('PLAT_API_KEY', 'another');
    return platform.withOptions({ maxRetries: 0 });
  });
  expect(sent).toEqual({ path: '/v1/me', key: `Bearer ${KEY}` });
});

test.each([
  [{ PLAT_API_KEY: KEY }, /baseUrl.*PLAT_BASE_URL/],
  [{ PLAT_BASE_URL: 'http://127.0.0.1:9' }, /apiKey.*PLAT_API_KEY/],
  [{ PLAT_BASE_URL: 'http://127.0.0.1:9', PLAT_API_KEY: '' }, /apiKey.*PLAT_API_KEY/],
  [{ PLAT_BASE_URL: 'http://127.0.0.1:9', PLAT_API_KEY: `${KEY} ` }, /apiKey/],
])('with %o only, the error names what is missing and no key', (variables, message) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const make = () => new Platform();
  expect(make).toThrow(InvalidArgumentError);
  expect(make).toThrow(message);
  expect(make).not.toThrow(KEY);
});

test('a runtime without an environment has no defaults', () => {
  vi.stubGlobal('process', undefined);
  try {
    expect(() => new Platform()).toThrow(/baseUrl/);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('on Deno the environment is read with the permission only', () => {
  vi.stubEnv('PLAT_BASE_URL', 'http://127.0.0.1:9');
  vi.stubEnv('PLAT_API_KEY', KEY);
  const state = vi.fn(() => ({ state: 'prompt' }));
  vi.stubGlobal('Deno', { permissions: { querySync: state } });
  try {
    expect(() => new Platform()).toThrow(/baseUrl/);
    state.mockReturnValue({ state: 'granted' });
    expect(new Platform()).toBeInstanceOf(Platform);
  } finally {
    vi.unstubAllGlobals();
  }
});
