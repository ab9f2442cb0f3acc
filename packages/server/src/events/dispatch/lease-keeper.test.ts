import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../db/database.ts';
import { openMigrated } from '../../db/migrated-file.ts';
import { execute, select } from '../../db/sql.ts';
import { measureInto } from '../../kernel/meter.ts';
import { SHARDS } from '../outbox/outbox.ts';
import { LeaseKeeper } from './lease-keeper.ts';

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-leases-'));
  db = await openMigrated(folder);
});
afterEach(async () => {
  vi.restoreAllMocks();
  measureInto(null);
  await db.close();
  await rm(folder, { recursive: true });
});

test('a lease that was held before others are taken ends for its holder before it ends in a slow database', async () => {
  const keeper = new LeaseKeeper({
    ...{ db, log: pino({ level: 'silent' }), owner: 'one', leaseMs: 3_000 },
    opensSecrets: async () => true,
    isBusy: () => false,
    changed: () => undefined,
  });
  await execute(db, "INSERT INTO dispatchers (id, beats, expires_at) VALUES ('two', 0, 9999999999999)");
  keeper.start();
  await vi.waitUntil(() => keeper.shards().length === SHARDS / 2);
  const [held = -1] = keeper.shards();

  const query = db.sequelize.query.bind(db.sequelize);
  const slow = async (...args: readonly unknown[]): Promise<unknown> => {
    if (String(args[0]).startsWith('SELECT shard')) await wait(700);
    return Reflect.apply(query, undefined, args);
  };
  vi.spyOn(db.sequelize, 'query').mockImplementation(slow as never);
  await execute(db, "DELETE FROM dispatchers WHERE id = 'two'");
  await vi.waitUntil(() => keeper.shards().length === SHARDS, { timeout: 5_000 });

  const heldForMs = (keeper.leaseOf(held)?.validUntil ?? 0) - performance.now();
  const rows = await select<{ expires_at: number }>(db, 'SELECT expires_at FROM shard_leases WHERE shard = :held', {
    held,
  });
  expect(heldForMs).toBeLessThan((rows[0]?.expires_at ?? 0) - Date.now());
  await keeper.end();
});

test('a shard that is released or lost starts no further delivery, and a busy one is released when it is idle', async () => {
  let isBusy = true;
  const keeper = new LeaseKeeper({
    ...{ db, log: pino({ level: 'silent' }), owner: 'one', leaseMs: 6_000 },
    opensSecrets: async () => true,
    isBusy: () => isBusy,
    changed: () => undefined,
  });
  const owned = async (): Promise<number> =>
    (await select(db, "SELECT shard FROM shard_leases WHERE owner = 'one'")).length;
  // The leases of a dispatcher that was killed have expired.
  await execute(db, "UPDATE shard_leases SET owner = 'killed', expires_at = 1");
  keeper.start();
  await vi.waitUntil(() => keeper.shards().length === SHARDS, { timeout: 30_000 });

  await execute(db, "INSERT INTO dispatchers (id, beats, expires_at) VALUES ('two', 0, 9999999999999)");
  await vi.waitUntil(() => keeper.shards().length === SHARDS / 2, { timeout: 30_000 });
  expect(await owned()).toBe(SHARDS);
  isBusy = false;
  keeper.releaseIdle();
  await vi.waitUntil(async () => (await owned()) === SHARDS / 2, { timeout: 30_000 });

  const [lost = -1] = keeper.shards();
  const end = 'expires_at = 9999999999999';
  await execute(db, `UPDATE shard_leases SET owner = 'two', token = token + 1, ${end} WHERE shard = :lost`, { lost });
  // Sooner than the lease expires without a renewal.
  await vi.waitUntil(() => keeper.leaseOf(lost) === undefined, { timeout: 4_000 });
  await keeper.end();
});

test('a dispatcher that cannot sign holds all shards while it is alone, and none beside another one', async () => {
  const options = { db, log: pino({ level: 'silent' }), leaseMs: 1_500, isBusy: () => false, changed: () => undefined };
  const unfit = new LeaseKeeper({ ...options, owner: 'unfit', opensSecrets: async () => false });
  unfit.start();
  await vi.waitUntil(() => unfit.shards().length === SHARDS);
  const fit = new LeaseKeeper({ ...options, owner: 'fit', opensSecrets: async () => true });
  fit.start();
  await vi.waitUntil(() => fit.shards().length === SHARDS && unfit.shards().length === 0, { timeout: 5_000 });
  await fit.end();
  await vi.waitUntil(() => unfit.shards().length === SHARDS, { timeout: 5_000 });
  await unfit.end();
});

test('counts of lost shards begin with 0, so that an alert sees the first loss', async () => {
  const add = vi.fn();
  measureInto({ add, set() {}, observe() {}, clear() {} });
  const keeper = new LeaseKeeper({
    ...{ db, log: pino({ level: 'silent' }), owner: 'one', leaseMs: 3_000 },
    opensSecrets: async () => true,
    isBusy: () => false,
    changed: () => undefined,
  });
  keeper.start();
  expect(add).toHaveBeenCalledWith('plat_shard_moves_total', { direction: 'lost' }, 0);
  await keeper.end();
});
