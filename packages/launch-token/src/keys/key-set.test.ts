import { describe, expect, test } from 'vitest';
import { ISSUER } from '../issuer.fixture.ts';
import { first, platform, second, successor } from './platform.fixture.ts';

describe('the key set', () => {
  test('is fetched with the first token, by default from the issuer, without following redirects', async () => {
    const { verify, fetch, fetches } = platform();
    expect(fetches()).toBe(0);
    expect(await verify(first)).toBe('ok');
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      `${ISSUER}/.well-known/jwks.json`,
      expect.objectContaining({ method: 'GET', redirect: 'manual', signal: expect.any(AbortSignal) }),
    );
  });

  test('is fetched by hydrate, and not again by a second hydrate', async () => {
    const { verifier, verifySync, fetches } = platform();
    await verifier.hydrate();
    await verifier.hydrate();
    expect(await verifySync(first)).toBe('ok');
    expect(fetches()).toBe(1);
  });

  test('is refreshed in the background after three quarters of its life, while tokens are accepted', async () => {
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

  test('that has expired is awaited: a removed key no longer verifies tokens', async () => {
    const { verify, publish, pass } = platform();
    await verify(first);
    publish(second);
    pass(3600);
    expect([await verify(first), await verify(second)]).toEqual(['KEY_UNKNOWN', 'ok']);
  });

  test('replaces a key under the same kid with the next fetch', async () => {
    const { verify, publish, pass, settle } = platform();
    await verify(first);
    publish(successor);
    expect([await verify(first), await verify(successor)]).toEqual(['ok', 'SIGNATURE_INVALID']);
    pass(2700);
    await verify(first);
    await settle();
    expect([await verify(first), await verify(successor)]).toEqual(['SIGNATURE_INVALID', 'ok']);
  });

  test('without any key refuses all tokens, and is not a failure', async () => {
    const { verify, publish, verifier } = platform();
    publish();
    await verifier.hydrate();
    expect(await verify(first)).toBe('KEY_UNKNOWN');
  });
});

describe('verifySync', () => {
  test('without keys refuses the token, and fetches keys for the next one', async () => {
    const { verifySync, settle, fetches } = platform();
    expect([await verifySync(first), await verifySync(first)]).toContain('KEYS_UNAVAILABLE');
    await settle();
    expect(await verifySync(first)).toBe('ok');
    expect(fetches()).toBe(1);
  });

  test('after max-age uses the current keys until the requested ones have arrived', async () => {
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
  test('by at most a minute changes nothing; by more, the keys are fetched again', async () => {
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
