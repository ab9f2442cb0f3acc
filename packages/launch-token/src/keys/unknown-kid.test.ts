import { describe, expect, test } from 'vitest';
import { first, platform, second } from './platform.fixture.ts';

describe('an unknown kid', () => {
  test('is searched in a new key set: a new key verifies its first token', async () => {
    const { verify, publish, fetches } = platform();
    await verify(first);
    publish(first, second);
    expect([await verify(second), await verify(first)]).toEqual(['ok', 'ok']);
    expect(fetches()).toBe(2);
  });

  test('at a cold start costs one fetch, not two', async () => {
    const { verify, fetches } = platform();
    expect(await verify(second)).toBe('KEY_UNKNOWN');
    expect(fetches()).toBe(1);
  });

  test('is searched five times, then every 12 s', async () => {
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

  test('with verifySync is searched in the background, with the same budget', async () => {
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

  test('costs one fetch for 1,000 simultaneous tokens', async () => {
    const { verify, fetches } = platform();
    await verify(first);
    const codes = await Promise.all(Array.from({ length: 1000 }, (_, n) => verify(first, `flood_${n}`)));
    expect(new Set(codes)).toEqual(new Set(['KEY_UNKNOWN']));
    expect(fetches()).toBe(2);
  });

  test('in a flood neither delays nor disables a known key, for any result of the fetches', async () => {
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
