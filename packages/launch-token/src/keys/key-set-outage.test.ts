import { describe, expect, test, vi } from 'vitest';
import { first, platform, second } from './platform.fixture.ts';

describe('while the platform is unavailable', () => {
  test('the current keys serve for an hour after the last success, and none after that', async () => {
    const { verify, verifySync, fail, headers, pass } = platform();
    headers['cache-control'] = 'max-age=60';
    await verify(first);
    fail();
    pass(3599);
    expect([await verify(first), await verifySync(first)]).toEqual(['ok', 'ok']);
    pass(1);
    expect([await verify(first), await verifySync(first)]).toEqual(['KEYS_UNAVAILABLE', 'KEYS_UNAVAILABLE']);
  });

  test('it is asked every 12 s while keys serve, and every second otherwise, for any number of tokens', async () => {
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

  test('a token with a new key gets KEYS_UNAVAILABLE, however many arrive, and is accepted after the next fetch', async () => {
    const { verify, fail, pass, publish, fetches } = platform();
    await verify(first);
    publish(first, second);
    fail();
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 20; n += 1) expect(await verify(second)).toBe('KEYS_UNAVAILABLE');
      pass(12);
    }
    expect(fetches()).toBe(1 + 3);
    fail(false);
    expect(await verify(second)).toBe('ok');
  });

  test('verifySync distinguishes a key that cannot be looked up from an unknown one', async () => {
    const { verify, verifySync, fail, settle } = platform();
    await verify(first);
    fail();
    expect(await verifySync(second)).toBe('KEY_UNKNOWN');
    await settle();
    for (let n = 0; n < 20; n += 1) expect(await verifySync(second)).toBe('KEYS_UNAVAILABLE');
    expect(await verifySync(first)).toBe('ok');
  });

  test('tokens are accepted again after the next successful fetch', async () => {
    const { verify, fail, pass } = platform();
    fail();
    expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
    fail(false);
    expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
    pass(1);
    expect(await verify(first)).toBe('ok');
  });

  test('a failure that a success followed does not delay the look-up of a new key', async () => {
    const { verify, fail, pass, publish } = platform();
    fail();
    expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
    fail(false);
    pass(1);
    expect(await verify(first)).toBe('ok');
    publish(first, second);
    expect(await verify(second)).toBe('ok');
  });

  test('a clock that is set back after a failure does not delay the next fetch', async () => {
    const { verify, fail, pass } = platform();
    fail();
    expect(await verify(first)).toBe('KEYS_UNAVAILABLE');
    fail(false);
    pass(-30);
    expect(await verify(first)).toBe('ok');
  });
});

describe('a fetch that never ends', () => {
  test('without a deadline, as in a frozen worker, is abandoned by the next caller', async () => {
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
      // The own fetch failed, but the keys of the other fetch verify the token.
      expect(await waiting).toBe('ok');
    } finally {
      vi.useRealTimers();
    }
  });

  test('that completes late does not replace a newer key set', async () => {
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

  test('that completes late does not make expired keys valid', async () => {
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
