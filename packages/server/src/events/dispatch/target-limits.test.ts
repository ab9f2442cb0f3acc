import { describe, expect, it } from 'vitest';
import { AdaptiveLimits } from './adaptive-limits.ts';
import { SANDBOX_PER_ENDPOINT, SANDBOX_PER_TARGET, type Target, TargetLimits } from './target-limits.ts';

const URL = 'https://hooks.example/a';
const SUCCESS = { succeeded: true, durationMs: 10 };
const FAILURE = { succeeded: false, durationMs: 10 };

describe('the limit of a host', () => {
  it('doubles with each success up to its bound, and decreases by one with each failure down to four', () => {
    const limits = new TargetLimits(50);
    const target = limits.of(URL, false);
    const after = (result: typeof SUCCESS): number => {
      limits.adjust(target, result);
      return target.limit;
    };
    expect(target.limit).toBe(16);
    expect([after(SUCCESS), after(SUCCESS), after(SUCCESS)]).toEqual([32, 50, 50]);
    expect([after(FAILURE), after(FAILURE)]).toEqual([49, 48]);
    for (let failures = 0; failures < 60; failures++) limits.adjust(target, FAILURE);
    expect(target.limit).toBe(4);
  });

  it('is never above a bound of less than four', () => {
    const limits = new TargetLimits(2);
    const target = limits.of(URL, false);
    limits.adjust(target, FAILURE);
    expect(target.limit).toBe(2);
  });

  it('is fixed for sandboxes, each with its own', () => {
    const limits = new TargetLimits(50);
    const target = limits.of(URL, true);
    expect(target).not.toBe(limits.of(URL, false));
    limits.adjust(target, SUCCESS);
    limits.adjust(target, FAILURE);
    expect(target).toMatchObject({ limit: SANDBOX_PER_TARGET, perEndpoint: SANDBOX_PER_ENDPOINT });
  });

  it.each([
    ['https://hooks.example:443/b?c', true],
    ['https://HOOKS.example./', true],
    ['http://hooks.example:443/', true],
    ['http://hooks.example/', false],
    ['https://hooks.example:8443/', false],
    ['https://other.example/', false],
  ])('of https://hooks.example is that of %s: %s', (url, isSame) => {
    const limits = new TargetLimits(50);
    expect(limits.of(url, false) === limits.of(URL, false)).toBe(isSame);
  });

  it('is remembered for ten thousand hosts: those used last, and those in use', () => {
    const limits = new TargetLimits(50);
    const hosts = Array.from({ length: 10_000 }, (_, n) => `https://host${n}.example/`);
    const targets = hosts.map((url) => limits.of(url, false));
    const [inFlight, prefetched] = targets as [Target, Target];
    inFlight.inFlight = 1;
    prefetched.prefetched = 1;
    limits.of('https://host2.example/', false);
    limits.of('https://one-more.example/', false);
    const isKnown = (n: number) => limits.of(`https://host${n}.example/`, false) === targets[n];
    expect([0, 1, 2].map(isKnown)).toEqual([true, true, true]);
    expect(isKnown(3)).toBe(false);
  });
});

describe('the limit of an endpoint', () => {
  it('is proven by a success within a second only', () => {
    const limits = new AdaptiveLimits(16);
    const limit = limits.of('a');
    const isProvenAfter = (durationMs: number): boolean => {
      limits.adjust(limit, { succeeded: true, durationMs });
      return limit.isProven;
    };
    expect([isProvenAfter(1_000), isProvenAfter(1_001)]).toEqual([true, false]);
  });

  it('is remembered for the ten thousand endpoints used last', () => {
    const limits = new AdaptiveLimits(16);
    const known = Array.from({ length: 10_000 }, (_, n) => limits.of(`endpoint ${n}`));
    limits.of('endpoint 0');
    limits.of('one more');
    expect(limits.of('endpoint 0')).toBe(known[0]);
    expect(limits.of('endpoint 1')).not.toBe(known[1]);
  });
});
