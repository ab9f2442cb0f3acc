import { createLaunchVerifier, createOneTimeGuard, usedTokensTableSql } from '@plat/launch-token';
import { createMemoryStore } from '@plat/webhooks';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { fetchKeys, isSignedBy, type LaunchWorld, launchWorld, readToken } from '../support/launch.ts';
import type { RedeemOptions } from '../support/launched-process.ts';
import { spawnNode } from '../support/process.ts';
import { hasRedis, type Redis, startRedis } from '../support/redis.ts';
import { sqlPlaces } from '../support/sql-places.ts';
import { runOnce } from '../support/sql-query.ts';
import { useServer } from '../support/story.ts';
import { openOneTimeStore, type UsedTokensAt } from '../support/used-tokens.ts';

const story = useServer();
let world: LaunchWorld;

beforeAll(async () => {
  world = await launchWorld(story.server);
});

async function launch(): Promise<string> {
  const { tenantId, ownerId, clients } = world;
  return story.server.launch({ tenantId, userId: ownerId, clientId: clients[0], moduleSlug: 'analytics' });
}

const receiver = () => ({ issuer: story.server.baseUrl, audience: 'analytics' });

const places: [string, () => Promise<UsedTokensAt>][] = sqlPlaces(story).map(([name, place]) => [
  name,
  async () => {
    const at = await place();
    await runOnce(at, usedTokensTableSql);
    return at;
  },
]);
if (inject('database').kind === 'sqlite' && hasRedis()) {
  let redis: Redis | undefined;
  places.push([
    'Redis',
    async () => {
      redis ??= await startRedis();
      return { redis: redis.url };
    },
  ]);
  afterAll(() => redis?.stop());
}

test('each launch token has a different id, under the signature', async () => {
  const tokens = [await launch(), await launch()];
  const keys = await fetchKeys(story.server);
  const ids = tokens.map((token) => readToken(token).claims.jti);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  for (const token of tokens) expect(isSignedBy(keys, token)).toBe(true);
  const { jti } = await createLaunchVerifier(receiver()).verify(tokens[0]);
  expect(jti).toBe(ids[0]);
});

test('a store for duplicate webhooks remembers used tokens too', async () => {
  const once = createOneTimeGuard({ store: createMemoryStore() });
  const verifier = createLaunchVerifier({ ...receiver(), once });
  const token = await launch();
  expect((await verifier.verify(token)).tenant).toBe(world.tenantId);
  await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_REPLAYED', status: 401 });
});

describe.each(places)('used tokens in %s', (_, place) => {
  let at: UsedTokensAt;
  beforeAll(async () => {
    at = await place();
  });

  test('one token at three processes, ten times each at the same moment, is accepted once', async () => {
    const options: RedeemOptions = { ...receiver(), token: await launch(), at, launches: 10 };
    const args = [JSON.stringify(options)];
    const processes = Array.from({ length: 3 }, () => spawnNode('tests/support/launched-process.ts', { args }));
    for (const each of processes) await each.waitFor(/^ready$/m);
    for (const { child } of processes) child.stdin.write('go\n');
    const said = await Promise.all(processes.map((each) => each.waitFor(/^results (.*)$/m)));
    await Promise.all(processes.map((each) => each.exited));
    const codes: string[] = said.flatMap(([, list = '[]']) => JSON.parse(list));
    expect(codes.toSorted()).toEqual([...Array(29).fill('TOKEN_REPLAYED'), 'ok']);
  });

  test('a token stays used for another process, and other tokens are accepted', async () => {
    const token = await launch();
    for (const expected of ['ok', 'TOKEN_REPLAYED', 'TOKEN_REPLAYED']) {
      const { store, close } = await openOneTimeStore(at);
      const verifier = createLaunchVerifier({ ...receiver(), once: createOneTimeGuard({ store }) });
      const outcome = await verifier.verify(token).then(
        () => 'ok',
        (error) => error.code,
      );
      expect(outcome).toBe(expected);
      if (expected === 'ok') expect((await verifier.verify(await launch())).tenant).toBe(world.tenantId);
      await close();
    }
  });
});
