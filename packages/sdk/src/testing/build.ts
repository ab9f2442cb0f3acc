import { onTestFinished } from 'vitest';
import type { PlatformError } from '../errors/platform-error.ts';
import { Platform } from '../platform.ts';
import type { PlatformOptions } from '../platform-options.ts';
import { nodeTransport } from '../transport/node.ts';

/** A key that must never be shown. */
export const API_KEY = 'plat_test_SeCrEtSeCrEtSeCrEtSeCrEt0123';

/** Creates a client with its own connections, closed with the test. */
export function platformFor(baseUrl: string, options: Partial<PlatformOptions> = {}): Platform {
  const transport = options.fetch ? undefined : (options.transport ?? nodeTransport());
  const access = options.credential === undefined ? { apiKey: API_KEY } : {};
  const platform = new Platform({ ...access, baseUrl, ...options, ...(transport && { transport }) });
  onTestFinished(() => platform.close());
  return platform;
}

/** Returns a client object as the API returns it. */
export function client(id: string, name = 'Acme'): Record<string, unknown> {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    object: 'client',
    id,
    name,
    status: 'active',
    slug: 'acme',
    custom_domain: null,
    created_at: at,
    updated_at: at,
  };
}

/** Returns the error of a call that must fail with an error of the client. */
export async function refusal<E extends PlatformError>(
  call: PromiseLike<unknown>,
  type: abstract new (...args: never[]) => E,
): Promise<E> {
  const error = await call.then(
    (value) => new Error(`succeeded with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof type) return error;
  throw error;
}
