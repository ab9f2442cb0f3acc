import { describe, expect, test, vi } from 'vitest';
import { jwksOf, T } from '../issuer.fixture.ts';
import type { CachedKeySet } from './cache.ts';
import { first, platform, second } from './platform.fixture.ts';

describe('a cache', () => {
  const kept = (others: Partial<CachedKeySet> = {}): CachedKeySet => ({
    jwks: jwksOf(first),
    fetchedAt: (T - 100) * 1000,
    maxAgeSeconds: 3600,
    ...others,
  });

  test('stores the fetched key set, and serves the next verifier without a fetch', async () => {
    let held: CachedKeySet | undefined;
    const cache = {
      load: () => held,
      store: (keySet: CachedKeySet) => {
        held = JSON.parse(JSON.stringify(keySet));
      },
    };
    const one = platform({ cache });
    expect(await one.verify(first)).toBe('ok');
    const other = platform({ cache });
    expect(await other.verify(first)).toBe('ok');
    expect([one.fetches(), other.fetches()]).toEqual([1, 0]);
    expect(held).toEqual(kept({ fetchedAt: T * 1000 }));
  });

  test('does not extend the lifetime of a key set', async () => {
    const { verify, pass, fail, fetches } = platform({
      cache: { load: () => kept({ maxAgeSeconds: 1e9 }), store: () => undefined },
    });
    expect(await verify(first)).toBe('ok');
    fail();
    pass(3499);
    expect(await verify(first)).toBe('ok');
    pass(1);
    expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
    expect(fetches()).toBeGreaterThan(0);
  });

  test('that is older than the key set of the platform is skipped for a missing kid', async () => {
    const { verify, publish, fetches } = platform({ cache: { load: () => kept(), store: () => undefined } });
    publish(first, second);
    expect(await verify(second)).toBe('ok');
    expect(fetches()).toBe(1);
  });

  test.each([
    ['nothing', undefined],
    ['no key set', { jwks: '<html>', fetchedAt: T * 1000, maxAgeSeconds: 60 }],
    ['something else', 'key set'],
    ['a set that is too old', kept({ fetchedAt: (T - 3600) * 1000 })],
    ['a set that is older than an hour, with any max-age', kept({ fetchedAt: (T - 3600) * 1000, maxAgeSeconds: 1e9 })],
    ['a set past its max-age', kept({ maxAgeSeconds: 100 })],
    ['a set of the future', kept({ fetchedAt: (T + 1) * 1000 })],
    ['a set of no moment', kept({ fetchedAt: Number.NaN })],
    ['a set that lives for no time', kept({ maxAgeSeconds: Number.NaN })],
    ['bytes', { ...kept(), jwks: Buffer.from(jwksOf(first)) }],
  ])('that contains %s is skipped', async (_, value) => {
    const cache = { load: () => value as CachedKeySet, store: () => undefined };
    const { verify, publish, fetches } = platform({ cache });
    publish(second);
    expect([await verify(first), await verify(second)]).toEqual(['KEY_UNKNOWN', 'ok']);
    expect(fetches()).toBe(1);
  });

  test('that fails in any way is skipped', async () => {
    const fail = (): never => {
      throw new Error('The cache is away.');
    };
    for (const cache of [
      { load: fail, store: fail },
      { load: () => Promise.reject(new Error('away')), store: () => Promise.reject(new Error('away')) },
    ]) {
      expect(await platform({ cache }).verify(first)).toBe('ok');
    }
  });

  test('that never answers delays the key set by one second only', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { verify } = platform({
        cache: { load: () => new Promise<undefined>(() => undefined), store: () => undefined },
      });
      const outcome = verify(first);
      await vi.advanceTimersByTimeAsync(1000);
      expect(await outcome).toBe('ok');
    } finally {
      vi.useRealTimers();
    }
  });
});
