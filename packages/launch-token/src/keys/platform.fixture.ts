import { vi } from 'vitest';
import {
  AUDIENCE,
  claims,
  createSigningKey,
  header,
  ISSUER,
  jwksOf,
  mint,
  type SigningKey,
  T,
} from '../issuer.fixture.ts';
import type { LaunchVerifierOptions } from '../options.ts';
import { outcomeOf } from '../outcome.fixture.ts';
import { createLaunchVerifier } from '../verifier.ts';

export const first = createSigningKey('key_1');
export const second = createSigningKey('key_2');
export const successor = createSigningKey('key_1');

/** A platform whose keys and clock are set by the test. Tokens are issued for the current time. */
export function platform(options: Partial<LaunchVerifierOptions> = {}) {
  let seconds = T;
  let published: readonly SigningKey[] = [first];
  let fails = false;
  let gate: Promise<void> | undefined;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=3600',
  };
  const fetch = vi.fn(async (): Promise<Response> => {
    // The response has the keys that are published at the time of the request.
    const answer = new Response(jwksOf(...published), { headers });
    const failing = fails;
    await gate;
    if (failing) throw new Error('The platform is away.');
    return answer;
  });
  const verifier = createLaunchVerifier({
    issuer: ISSUER,
    audience: AUDIENCE,
    fetch,
    now: () => seconds * 1000,
    ...options,
  });
  const token = (key: SigningKey, kid = key.kid): string =>
    mint(key, { claims: claims({ iat: seconds, exp: seconds + 900 }), header: header(key, { kid }) });
  return {
    verifier,
    fetch,
    headers,
    publish: (...keys: SigningKey[]) => {
      published = keys;
    },
    fail: (on = true) => {
      fails = on;
    },
    /** Delays every response until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = undefined;
        resolve();
      };
    },
    pass: (more: number) => {
      seconds += more;
    },
    verify: async (key: SigningKey, kid?: string) => (await outcomeOf(() => verifier.verify(token(key, kid)))).code,
    verifySync: async (key: SigningKey, kid?: string) =>
      (await outcomeOf(() => verifier.verifySync(token(key, kid)))).code,
    /** Waits until background work has ended. */
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    fetches: () => fetch.mock.calls.length,
  };
}
