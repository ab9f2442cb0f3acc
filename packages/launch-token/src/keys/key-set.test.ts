import { describe, expect, test, vi } from 'vitest';
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
import type { CachedKeySet } from './cache.ts';

const first = createSigningKey('key_1');
const second = createSigningKey('key_2');
const successor = createSigningKey('key_1');

/** A platform whose keys and clock are turned by hand. Tokens are minted for the moment. */
function platform(options: Partial<LaunchVerifierOptions> = {}) {
  let seconds = T;
  let published: readonly SigningKey[] = [first];
  let fails = false;
  let gate: Promise<void> | undefined;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=3600',
  };
  const fetch = vi.fn(async (): Promise<Response> => {
    // What is answered is what is published when it is asked for.
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
    /** Holds every answer back, until what it gives is called. */
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
    /** Lets what is under way in the background come to its end. */
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    fetches: () => fetch.mock.calls.length,
  };
}

describe('the key set', () => {
  test('is fetched with the first token, from the issuer by default, without following redirects', async () => {
    const { verify, fetch, fetches } = platform();
    expect(fetches()).toBe(0);
    expect(await verify(first)).toBe('ok');
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      `${ISSUER}/.well-known/jwks.json`,
      expect.objectContaining({ method: 'GET', redirect: 'manual', signal: expect.any(AbortSignal) }),
    );
  });

  test('is fetched by hydrate, and by a second one not again', async () => {
    const { verifier, verifySync, fetches } = platform();
    await verifier.hydrate();
    await verifier.hydrate();
    expect(await verifySync(first)).toBe('ok');
    expect(fetches()).toBe(1);
  });

  test('is not asked for again for three quarters of its life, then in the background, while tokens pass', async () => {
    const { verify, verifySync, pass, hold, settle, fetches } = platform();
    await verify(first);
    pass(2699);
    expect([await verify(first), await verifySync(first)]).toEqual(['ok', 'ok']);
    expect(fetches()).toBe(1);
    pass(1);
    const release = hold();
    expect([await verify(first), await verifySync(first), await verify(first)]).toEqual(['ok', 'ok', 'ok']);
    expect(fetches()).toBe(2);
    release();
    await settle();
    pass(2699);
    expect(await verify(first)).toBe('ok');
    expect(fetches()).toBe(2);
  });

  test.each([
    ['public, max-age=600', {}, 600],
    ['max-age="600"', {}, 600],
    ['s-maxage=5, Max-Age=600', {}, 600],
    ['public, max-age=600', { age: '100' }, 500],
    ['public, max-age=86400', {}, 3600],
    ['public', {}, 3600],
    ['max-age=0', {}, 12],
    ['no-store', {}, 12],
    ['no-cache, max-age=600', {}, 12],
    ['max-age=600', { age: '700' }, 12],
    ['max-age=-5', {}, 3600],
    ['max-age=99999999999999999999999', {}, 3600],
  ])('with Cache-Control: %s and %o lives %i s', async (control, more, life) => {
    const { verify, headers, publish, pass, hold, settle } = platform();
    Object.assign(headers, { 'cache-control': control, ...more });
    await verify(first);
    publish(second);
    const release = hold();
    const next = (): Promise<string> => Promise.race([verify(first), settle().then(() => 'waits')]);
    pass(life - 1);
    expect(await next()).toBe('ok');
    pass(1);
    expect(await next()).toBe('waits');
    release();
    expect(await verify(first)).toBe('KEY_UNKNOWN');
  });

  test('that is too old is waited for: a key that was removed passes no more', async () => {
    const { verify, publish, pass } = platform();
    await verify(first);
    publish(second);
    pass(3600);
    expect([await verify(first), await verify(second)]).toEqual(['KEY_UNKNOWN', 'ok']);
  });

  test('takes over another key under the same kid with the next fetch', async () => {
    const { verify, publish, pass, settle } = platform();
    await verify(first);
    publish(successor);
    expect([await verify(first), await verify(successor)]).toEqual(['ok', 'SIGNATURE_INVALID']);
    pass(2700);
    await verify(first);
    await settle();
    expect([await verify(first), await verify(successor)]).toEqual(['SIGNATURE_INVALID', 'ok']);
  });

  test('without any key lets nobody in, and is no failure', async () => {
    const { verify, publish, verifier } = platform();
    publish();
    await verifier.hydrate();
    expect(await verify(first)).toBe('KEY_UNKNOWN');
  });
});

describe('when the platform is away', () => {
  test('the keys at hand serve for an hour from the last success, and none after it', async () => {
    const { verify, verifySync, fail, headers, pass } = platform();
    headers['cache-control'] = 'max-age=60';
    await verify(first);
    fail();
    pass(3599);
    expect([await verify(first), await verifySync(first)]).toEqual(['ok', 'ok']);
    pass(1);
    expect([await verify(first), await verifySync(first)]).toEqual(['KEYS_UNAVAILABLE', 'KEYS_UNAVAILABLE']);
  });

  test('it is asked every 12 s while keys serve, every second when none do, however many tokens come', async () => {
    const { verify, fail, pass, fetches } = platform();
    await verify(first);
    fail();
    pass(3000);
    for (let second = 0; second < 24; second += 1) {
      for (let n = 0; n < 3; n += 1) expect(await verify(first)).toBe('ok');
      pass(1);
    }
    expect(fetches()).toBe(1 + 2);
    pass(3600);
    for (let second = 0; second < 5; second += 1) {
      for (let n = 0; n < 3; n += 1) expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
      pass(1);
    }
    expect(fetches()).toBe(1 + 2 + 5);
  });

  test('tokens pass again with the next answer', async () => {
    const { verify, fail, pass } = platform();
    fail();
    expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
    fail(false);
    expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
    pass(1);
    expect(await verify(first)).toBe('ok');
  });
});

describe('an unknown kid', () => {
  test('is looked for once more: a key that is new passes with its first token', async () => {
    const { verify, publish, fetches } = platform();
    await verify(first);
    publish(first, second);
    expect([await verify(second), await verify(first)]).toEqual(['ok', 'ok']);
    expect(fetches()).toBe(2);
  });

  test('on a cold start costs one fetch, not two', async () => {
    const { verify, fetches } = platform();
    expect(await verify(second)).toBe('KEY_UNKNOWN');
    expect(fetches()).toBe(1);
  });

  test('is looked for five times, then every 12 s', async () => {
    const { verify, pass, fetches } = platform();
    await verify(first);
    for (let n = 0; n < 100; n += 1) expect(await verify(first, `flood_${n}`)).toBe('KEY_UNKNOWN');
    expect(fetches()).toBe(1 + 5);
    for (let second = 0; second < 60; second += 1) {
      pass(1);
      expect(await verify(first, 'flood')).toBe('KEY_UNKNOWN');
    }
    expect(fetches()).toBe(1 + 5 + 5);
    pass(600);
    for (let n = 0; n < 100; n += 1) await verify(first, `flood_${n}`);
    expect(fetches()).toBe(1 + 5 + 5 + 5);
  });

  test('with verifySync is looked for in the background, within the same budget', async () => {
    const { verifier, verifySync, publish, settle, fetches } = platform();
    await verifier.hydrate();
    publish(first, second);
    expect(await verifySync(second)).toBe('KEY_UNKNOWN');
    await settle();
    expect(await verifySync(second)).toBe('ok');
    for (let n = 0; n < 100; n += 1) {
      expect(await verifySync(first, `flood_${n}`)).toBe('KEY_UNKNOWN');
      await settle();
    }
    expect(fetches()).toBe(1 + 5);
  });

  test('1,000 of them at once cost one fetch', async () => {
    const { verify, fetches } = platform();
    await verify(first);
    const codes = await Promise.all(Array.from({ length: 1000 }, (_, n) => verify(first, `flood_${n}`)));
    expect(new Set(codes)).toEqual(new Set(['KEY_UNKNOWN']));
    expect(fetches()).toBe(2);
  });

  test('in a flood, whatever becomes of its fetches, keeps no known key waiting and brings none down', async () => {
    const { verify, verifySync, hold, fail, pass, settle } = platform();
    await verify(first);
    fail();
    const release = hold();
    const flood = Promise.all(Array.from({ length: 100 }, (_, n) => verify(first, `flood_${n}`)));
    expect([await verify(first), await verifySync(first)]).toEqual(['ok', 'ok']);
    release();
    expect(new Set(await flood)).toEqual(new Set(['KEYS_UNAVAILABLE']));
    for (let second = 0; second < 100; second += 1) {
      await verify(first, 'flood');
      expect([await verify(first), await verifySync(first)]).toEqual(['ok', 'ok']);
      pass(1);
    }
    fail(false);
    pass(2700);
    expect(await verify(first)).toBe('ok');
    await settle();
    pass(2600);
    expect(await verify(first)).toBe('ok');
  });
});

describe('verifySync', () => {
  test('before there are keys refuses, and fetches them for the next', async () => {
    const { verifySync, settle, fetches } = platform();
    expect([await verifySync(first), await verifySync(first)]).toContain('KEYS_UNAVAILABLE');
    await settle();
    expect(await verifySync(first)).toBe('ok');
    expect(fetches()).toBe(1);
  });

  test('past max-age goes on with the keys at hand, until those that it has asked for are there', async () => {
    const { verifier, verifySync, headers, publish, pass, hold, settle } = platform();
    headers['cache-control'] = 'max-age=60';
    await verifier.hydrate();
    publish(second);
    pass(60);
    const release = hold();
    expect([await verifySync(first), await verifySync(first)]).toEqual(['ok', 'ok']);
    release();
    await settle();
    expect([await verifySync(first), await verifySync(second)]).toEqual(['KEY_UNKNOWN', 'ok']);
  });
});

describe('a clock that is set back', () => {
  test('by a minute at most changes nothing; by more, the keys are fetched anew', async () => {
    const { verify, pass, fetches } = platform();
    await verify(first);
    pass(-60);
    expect(await verify(first)).toBe('ok');
    expect(fetches()).toBe(1);
    pass(-1);
    expect(await verify(first)).toBe('ok');
    expect(fetches()).toBe(2);
    pass(3599);
    expect(await verify(first)).toBe('ok');
  });
});

describe('a fetch that never ends', () => {
  test('and whose deadline does not come either, as when a worker is frozen, is given up by the next who asks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { verifier, verify, hold, pass, fetches } = platform();
      hold();
      void verifier.hydrate().catch(() => undefined);
      const waiting = verify(first);
      await Promise.resolve();
      expect(fetches()).toBe(1);
      pass(5);
      const release = hold();
      const next = verify(first);
      release();
      expect(await next).toBe('ok');
      expect(fetches()).toBe(2);
      await vi.advanceTimersByTimeAsync(4000);
      // Its own fetch failed, and the keys that the other one brought serve it.
      expect(await waiting).toBe('ok');
    } finally {
      vi.useRealTimers();
    }
  });

  test('and whose answer comes after all, does not replace a younger one', async () => {
    const { verify, publish, hold, pass, settle } = platform();
    const releaseOld = hold();
    const waiting = verify(first);
    await settle();
    pass(5);
    publish(second);
    const releaseNew = hold();
    const next = verify(second);
    await settle();
    releaseNew();
    expect(await next).toBe('ok');
    releaseOld();
    expect([await waiting, await verify(second), await verify(first)]).toEqual(['KEY_UNKNOWN', 'ok', 'KEY_UNKNOWN']);
  });

  test('and whose answer comes after all, brings nobody in by keys that are too old', async () => {
    const { verify, hold, pass, fail, settle } = platform();
    await verify(first);
    pass(3600);
    const release = hold();
    const waiting = verify(first);
    await settle();
    pass(5);
    fail();
    hold()();
    expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
    release();
    expect(await waiting).toBe('KEYS_UNAVAILABLE');
  });
});

describe('a cache', () => {
  const kept = (others: Partial<CachedKeySet> = {}): CachedKeySet => ({
    jwks: jwksOf(first),
    fetchedAt: (T - 100) * 1000,
    maxAgeSeconds: 3600,
    ...others,
  });

  test('is given what was fetched, and serves the next verifier without a fetch', async () => {
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

  test('does not make a key set live longer', async () => {
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

  test('that is behind the platform is passed over for a kid that it lacks', async () => {
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
    ['a set past its max-age', kept({ maxAgeSeconds: 100 })],
    ['a set of the future', kept({ fetchedAt: (T + 1) * 1000 })],
    ['a set of no moment', kept({ fetchedAt: Number.NaN })],
    ['a set that lives for no time', kept({ maxAgeSeconds: Number.NaN })],
    ['bytes', { ...kept(), jwks: Buffer.from(jwksOf(first)) }],
  ])('that holds %s is passed over', async (_, value) => {
    const cache = { load: () => value as CachedKeySet, store: () => undefined };
    const { verify, publish, fetches } = platform({ cache });
    publish(second);
    expect([await verify(first), await verify(second)]).toEqual(['KEY_UNKNOWN', 'ok']);
    expect(fetches()).toBe(1);
  });

  test('that fails, in whichever way, is passed over', async () => {
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

  test('that never answers costs a second, not the key set', async () => {
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
