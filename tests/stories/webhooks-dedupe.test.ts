import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDedupe, type DedupeStore } from '@plat/webhooks';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { repository } from '../support/process.ts';
import { hasRedis, type Redis, startRedis } from '../support/redis.ts';
import { connectRedis, type RedisClient } from '../support/redis-client.ts';
import { sqlPlaces } from '../support/sql-places.ts';
import { type OpenQuery, openQuery } from '../support/sql-query.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const story = useServer();
const readme = readFileSync(join(repository, 'packages/webhooks/README.md'), 'utf8');

/** The store of the README over a query function: its exact statements, with the placeholders of the driver. */
async function sqlStoreOfReadme({ dialect, query }: OpenQuery): Promise<DedupeStore> {
  const block = /```sql\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const [create = '', insert = '', ...others] = block.replaceAll(/^--.*$/gm, '').split(';');
  const [select = '', update = '', remove = '', forget = ''] = others;
  const onDuplicate = /`(ON DUPLICATE KEY UPDATE[^`]*)`/.exec(readme)?.[1] ?? '';
  const claim = dialect === 'mysql' ? insert.replace(/ON CONFLICT[\s\S]*$/, onDuplicate) : insert;
  const run = async (sql: string, named: Readonly<Record<string, string | number>> = {}): Promise<unknown> => {
    const values: (string | number)[] = [];
    const text = sql.trim().replaceAll(/:(\w+)/g, (_, name: string) => {
      values.push(named[name] ?? '');
      return dialect === 'postgresql' ? `$${values.length}` : '?';
    });
    return await query(text, values);
  };
  const changed = async (result: Promise<unknown>) =>
    Number(/"(?:affectedRows|rowCount|changes)":(\d+)/.exec(JSON.stringify(await result))?.[1]) === 1;
  const until = (seconds: number) => Date.now() + seconds * 1000;
  await run(create);
  return {
    async claim({ key, token, leaseSeconds }) {
      await run(claim, { key, token, until: until(leaseSeconds), now: Date.now() });
      const row = JSON.stringify(await run(select, { key }));
      if (row.includes(`"token":"${token}"`)) return 'claimed';
      return row.includes('"completed":1') ? 'completed' : 'in_progress';
    },
    complete: ({ key, token, ttlSeconds }) => changed(run(update, { key, token, until: until(ttlSeconds) })),
    release: ({ key, token }) => changed(run(remove, { key, token })),
    forget: ({ key }) => changed(run(forget, { key })),
  };
}

/** The store of the README over a client that has the commands of node-redis. */
async function redisStoreOfReadme(redis: RedisClient): Promise<DedupeStore> {
  const block = [...readme.matchAll(/```ts\n(.*?)```/gs)]
    .map(([, code = '']) => code)
    .find((code) => code.includes('redisStore'));
  const file = join(tempFolder('readme').path, 'redis-store.ts');
  writeFileSync(file, block ?? '');
  const { redisStore }: { redisStore(client: unknown): DedupeStore } = await import(/* @vite-ignore */ file);
  return redisStore({
    set: (key: string, value: string, { PX }: { PX: number }) => redis.call('SET', key, value, 'NX', 'PX', PX),
    get: (key: string) => redis.call('GET', key),
    eval: (script: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) =>
      redis.call('EVAL', script, keys.length, ...keys, ...args),
  });
}

interface OpenDedupeStore {
  readonly store: DedupeStore;
  close(): Promise<void>;
}

const places: [string, () => Promise<OpenDedupeStore>][] = sqlPlaces(story).map(([name, place]) => [
  name,
  async () => {
    const open = openQuery(await place());
    return { store: await sqlStoreOfReadme(open), close: open.close };
  },
]);
if (inject('database').kind === 'sqlite' && hasRedis()) {
  let server: Redis | undefined;
  places.push([
    'Redis',
    async () => {
      server ??= await startRedis();
      const redis = await connectRedis(server.url);
      return { store: await redisStoreOfReadme(redis), close: async () => redis.close() };
    },
  ]);
  afterAll(() => server?.stop());
}

describe.each(places)("the README's store for duplicates in %s", (_, place) => {
  let open: OpenDedupeStore;
  beforeAll(async () => {
    open = await place();
  });
  afterAll(() => open.close());

  test('accepts one of many claims, remembers handled events, and forgets them for a replay', async () => {
    const dedupe = createDedupe({ store: open.store });
    const event = { id: 'evt_1' };
    for (let round = 0; round < 2; round++) {
      const claims = await Promise.all(Array.from({ length: 20 }, () => dedupe.claim(event)));
      const won = claims.filter(({ outcome }) => outcome === 'claimed');
      expect(won).toHaveLength(1);
      expect(claims.filter(({ outcome }) => outcome === 'in_progress')).toHaveLength(19);
      const [mine = { outcome: 'in_progress' as const }] = won;
      expect(await dedupe.forget(event.id)).toBe(false);
      expect(await dedupe.complete(mine)).toBe(true);
      expect(await dedupe.release(mine)).toBe(false);
      expect((await dedupe.claim(event)).outcome).toBe('completed');
      expect(await dedupe.forget(event.id)).toBe(true);
      expect(await dedupe.forget(event.id)).toBe(false);
    }
    const failed = await dedupe.claim(event);
    expect(await dedupe.release(failed)).toBe(true);
    expect((await dedupe.claim(event)).outcome).toBe('claimed');
  });
});
