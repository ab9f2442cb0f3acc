import { usedTokensTableSql } from '@plat/launch-token';
import { grantsTableSql } from '@plat/sdk/oauth';
import {
  claimsTableSql,
  createDedupe,
  createRedisStore,
  createSqlStore,
  type DedupeStore,
  handledTableSql,
  recordHandled,
} from '@plat/webhooks';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hasRedis, type Redis, startRedis } from '../support/redis.ts';
import { connectRedis } from '../support/redis-client.ts';
import { sqlPlaces } from '../support/sql-places.ts';
import { type OpenQuery, openQuery, type SqlAt } from '../support/sql-query.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let now = 1_800_000_000_000;

interface OpenDedupeStore {
  readonly store: DedupeStore;
  /** False if the store expires its keys by its own clock. */
  readonly hasClock: boolean;
  close(): Promise<void>;
}

const databases = sqlPlaces(story);

const places: [string, () => Promise<OpenDedupeStore>][] = databases.map(([name, place]) => [
  name,
  async () => {
    const { query, dialect, close } = openQuery(await place());
    for (let round = 0; round < 2; round++) await query(claimsTableSql(dialect), []);
    return { store: createSqlStore({ query, dialect, now: () => now }), hasClock: true, close };
  },
]);
if (inject('database').kind === 'sqlite' && hasRedis()) {
  let server: Redis | undefined;
  places.push([
    'Redis',
    async () => {
      server ??= await startRedis();
      const redis = await connectRedis(server.url);
      const store = createRedisStore({ command: (...words) => redis.call(...words) });
      return { store, hasClock: false, close: async () => redis.close() };
    },
  ]);
  afterAll(() => server?.stop());
}

describe.each(places)('the store for duplicates in %s', (_, place) => {
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

  test('compares keys byte by byte', async () => {
    const dedupe = createDedupe({ store: open.store });
    expect((await dedupe.claim({ id: 'evt_case' })).outcome).toBe('claimed');
    expect((await dedupe.claim({ id: 'evt_CASE' })).outcome).toBe('claimed');
  });

  test('an expired lease is taken over once, and the former handler changes nothing', async () => {
    const leaseSeconds = open.hasClock ? 60 : 0.001;
    const dedupe = createDedupe({ store: open.store, leaseSeconds, ttlSeconds: 100 });
    const slow = await dedupe.claim({ id: 'evt_slow' });
    now += 60_000;
    const taker = createDedupe({ store: open.store, ttlSeconds: 100 });
    const take = async () => (await taker.claim({ id: 'evt_slow' })).outcome;
    let next = await taker.claim({ id: 'evt_slow' });
    // Redis removes the key a moment after its time.
    const claimed = async () => {
      if (next.outcome !== 'claimed') next = await taker.claim({ id: 'evt_slow' });
      return next.outcome;
    };
    await expect.poll(claimed).toBe('claimed');
    expect(await take()).toBe('in_progress');
    expect([await dedupe.complete(slow), await dedupe.release(slow)]).toEqual([false, false]);
    expect(await dedupe.complete(next)).toBe(true);
    expect(await take()).toBe('completed');
    if (!open.hasClock) return;
    now += 100_000;
    expect(await take()).toBe('claimed');
  });
});

/** Runs work in a transaction, on its own connection of a real driver. */
async function inTransaction<T>(at: SqlAt, work: (query: OpenQuery['query']) => Promise<T>, fails = false): Promise<T> {
  if ('postgresql' in at) {
    const pool = new Pool({ connectionString: at.postgresql, max: 1 });
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work((sql, values) => client.query(sql, [...values]));
      await client.query(fails ? 'ROLLBACK' : 'COMMIT');
      return result;
    } finally {
      client.release();
      await pool.end();
    }
  }
  if ('mysql' in at) {
    const pool = createPool({ uri: at.mysql, connectionLimit: 1 });
    const connection = await pool.getConnection();
    if (at.isolation) await connection.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${at.isolation}`);
    try {
      await connection.beginTransaction();
      const result = await work((sql, values) => connection.execute(sql, [...values]));
      await (fails ? connection.rollback() : connection.commit());
      return result;
    } finally {
      connection.release();
      await pool.end();
    }
  }
  const { query, close } = openQuery(at);
  try {
    await query('BEGIN IMMEDIATE', []);
    const result = await work(query);
    await query(fails ? 'ROLLBACK' : 'COMMIT', []);
    return result;
  } finally {
    await close();
  }
}

describe.each(databases)('an event recorded in the transaction of its effect in %s', (_, place) => {
  test('has its effect once, for deliveries at the same time and one after a failure', async () => {
    const at = await place();
    const open = openQuery(at);
    await open.query(handledTableSql(open.dialect), []);
    await open.query('CREATE TABLE IF NOT EXISTS effects (event_id VARCHAR(64) NOT NULL)', []);
    const { dialect } = open;
    const handle = (id: string, fails = false) =>
      inTransaction(
        at,
        async (query) => {
          const isFirst = await recordHandled({ id }, { query, dialect });
          const placeholder = dialect === 'postgresql' ? '$1' : '?';
          if (isFirst) await query(`INSERT INTO effects (event_id) VALUES (${placeholder})`, [id]);
          return isFirst;
        },
        fails,
      );
    expect(await handle('evt_1', true)).toBe(true);
    // SQLite is synchronous in this process: a transaction that waits for another one would wait forever.
    // After a conflict of two transactions the receiver answers 500, and the platform sends the event again.
    const deliver = (): Promise<boolean> =>
      handle('evt_1').catch((error) => {
        expect(error.code).toMatch(/^(?:40001|ER_LOCK_DEADLOCK)$/);
        return deliver();
      });
    const first =
      dialect === 'sqlite' ? [await deliver(), await deliver()] : await Promise.all(Array.from({ length: 8 }, deliver));
    expect(first.filter(Boolean)).toHaveLength(1);
    expect(await handle('evt_1')).toBe(false);
    expect(await handle('evt_2')).toBe(true);
    const rows = JSON.stringify(await open.query('SELECT event_id FROM effects ORDER BY event_id', []));
    expect(rows.match(/evt_\d/g)).toEqual(['evt_1', 'evt_2']);
    await open.close();
  });
});

test.runIf(inject('database').kind !== 'sqlite')(
  'the tables of an app have transactions with any default engine of its database',
  async () => {
    const pool = createPool({ uri: story.database.url, connectionLimit: 1 });
    await pool.query('SET SESSION default_storage_engine = MyISAM');
    const tables = [claimsTableSql, handledTableSql, grantsTableSql, usedTokensTableSql];
    for (const [i, sqlOf] of tables.entries()) await pool.query(sqlOf('mysql', `engine_${i}`));
    const sql =
      "SELECT engine AS engine FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE 'engine%'";
    const [rows] = await pool.query(sql);
    expect(rows).toEqual(tables.map(() => ({ engine: 'InnoDB' })));
    await pool.end();
  },
);
