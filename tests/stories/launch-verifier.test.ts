import { createLaunchVerifier, type LaunchTokenError } from '@plat/launch-token';
import { createLaunchVerifier as createWebVerifier } from '@plat/launch-token/web-crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type LaunchWorld, launchWorld, readToken } from '../support/launch.ts';
import { useServer } from '../support/story.ts';

/* Receivers beside a real platform, on one clock that the test moves. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
let now = Date.parse('2026-07-01T09:00:00.000Z');
const clock = (): number => now;
const story = useServer({ clock, env: { PLAT_DISPATCH: 'false' } });
let world: LaunchWorld;

beforeEach(async () => {
  world ??= await launchWorld(story.server);
});

const launch = (): Promise<string> => {
  const { tenantId, ownerId, clients } = world;
  return story.server.launch({ moduleSlug: 'analytics', tenantId, userId: ownerId, clientId: clients[0] });
};

/** Fetches for real and counts the calls. Fails while the platform is set to be unavailable. */
function receivers() {
  let away = false;
  const asked = vi.fn();
  const fetching = new Set<Promise<unknown>>();
  const fetchKeys: typeof fetch = async (...args) => {
    asked();
    if (away) throw new Error('away');
    const answer = fetch(...args).then(async (response) => new Response(await response.text(), response));
    fetching.add(answer);
    return answer.finally(() => fetching.delete(answer));
  };
  const options = {
    issuer: story.server.baseUrl,
    audience: 'analytics',
    fetch: (url: string, init: RequestInit) => fetchKeys(url, init),
    now: clock,
  };
  const node = createLaunchVerifier(options);
  return {
    all: [node.verify, createLaunchVerifier({ ...options, pooled: true }).verify, createWebVerifier(options).verify],
    node,
    asked,
    /** Resolves when every fetch has its response: minutes of the clock pass while a real fetch takes milliseconds. */
    fetched: () => Promise.allSettled(fetching),
    setAway: (on: boolean) => {
      away = on;
    },
  };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    ({ code }: LaunchTokenError) => code,
  );

describe('a token of the platform', () => {
  test('passes for its lifetime and the leeway, and no longer', async () => {
    const { all } = receivers();
    const token = await launch();
    const { claims } = readToken(token);
    for (const verify of all) expect(await verify(token)).toEqual(claims);
    now += (claims.exp - claims.iat + 29) * SECOND;
    for (const verify of all) expect(await codeOf(verify(token))).toBe('ok');
    now += SECOND;
    for (const verify of all) expect(await codeOf(verify(token))).toBe('TOKEN_EXPIRED');
  });

  test('of a module is refused by another module', async () => {
    const token = await launch();
    const other = createLaunchVerifier({ issuer: story.server.baseUrl, audience: 'orders', now: clock });
    expect(await codeOf(other.verify(token))).toBe('AUDIENCE_MISMATCH');
  });
});

describe('a rotation', () => {
  test('refuses no token at any receiver: half a day, a token every five minutes', async () => {
    const { all, node, asked, fetched } = receivers();
    const kids = new Set<string>();
    let steps = 0;
    for (let minute = 0; minute < 12 * 60; minute += 5) {
      // The platform takes the next step as soon as it allows it.
      const rotation = story.server.rotateSigningKeys();
      if ((await codeOf(rotation)) === 'ok') steps += 1;
      const token = await launch();
      kids.add(readToken(token).header.kid);
      for (const verify of all) expect(await codeOf(verify(token)), `minute ${minute}`).toBe('ok');
      expect(node.verifySync(token).tenant).toBe(world.tenantId);
      await fetched();
      now += 5 * MINUTE;
    }
    expect(kids.size).toBeGreaterThan(2);
    expect(steps).toBeGreaterThan(kids.size);
    // Three receivers, 12 hours: each fetches about every three quarters of an hour, and never for a key that it has.
    expect(asked.mock.calls.length).toBeLessThan(3 * 12 * 2);
  });
});

describe('while the platform is unavailable', () => {
  test('the cached keys are used for an hour, and then none until it is back', async () => {
    const { all, setAway } = receivers();
    for (const verify of all) expect(await codeOf(verify(await launch()))).toBe('ok');
    setAway(true);
    now += 59 * MINUTE + 59 * SECOND;
    for (const verify of all) expect(await codeOf(verify(await launch()))).toBe('ok');
    now += SECOND;
    for (const verify of all) expect(await codeOf(verify(await launch()))).toBe('KEYS_UNAVAILABLE');
    setAway(false);
    now += SECOND;
    for (const verify of all) expect(await codeOf(verify(await launch()))).toBe('ok');
  });
});
