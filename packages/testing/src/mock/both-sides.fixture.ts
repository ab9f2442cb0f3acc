import { OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';
import { type TestPlatform, usePlatform } from '../use-platform.ts';
import { createMockPlatform } from './create-mock-platform.ts';
import type { MockPlatform } from './mock-platform.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON; a path that is not there fails the test
  readonly body: any;
}

export type Api = (call: string, body?: object | string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** Calls `GET /v1/clients` and the like. */
export function apiOf(baseUrl: string, apiKey: string, fetch: MockPlatform['fetch']): Api {
  return async (call, body, headers = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

/** The mock and the platform, for the tests that compare them. */
export interface BothSides {
  readonly platform: TestPlatform;
  readonly mock: MockPlatform;
  /** Returns the API of a new sandbox of the platform. */
  real(): Promise<Api>;
  mocked(): Api;
}

/** Starts the platform for a test file. Each test begins with a new mock. */
export async function useBothSides(hooks: {
  readonly afterAll: (close: () => Promise<void>) => unknown;
  readonly beforeEach: (reset: () => void) => unknown;
}): Promise<BothSides> {
  const platform = await usePlatform({ afterAll: hooks.afterAll });
  const mock = createMockPlatform();
  hooks.beforeEach(() => mock.reset());
  return {
    platform,
    mock,
    real: async () => apiOf(platform.baseUrl, (await platform.tenant()).apiKey, fetch),
    mocked: () => apiOf(mock.baseUrl, mock.apiKey, mock.fetch),
  };
}

/**
 * Returns a response without its variable parts: ids and times are replaced by their format, messages are removed.
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return 'a time';
    // The developer of a sandbox differs in each run.
    if (/^dev_\w+@example\.com$/.test(value)) return 'owner@sandbox.example';
    return value.replace(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1_…').replace(/^whsec_\w+$/, 'whsec_…');
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'message')
      .map(([name, item]) => [name, shapeOf(item)]),
  );
}

export const operations = Object.entries(OPERATIONS) as [OperationName, OperationInfo][];
