import type { Database } from '../../db/database.ts';
import { databaseNow } from '../../db/database-clock.ts';
import { execute, select } from '../../db/sql.ts';
import type { ShardLeaseRow } from '../../db/tables/shard-leases.ts';

/** The leases of all shards, by the clock of the database. */
export interface LeaseState {
  readonly now: number;
  readonly leases: readonly ShardLeaseRow[];
  /** The running dispatchers, in the same order for each of them. */
  readonly dispatchers: readonly string[];
}

/**
 * Records that a dispatcher is running and takes part, and renews its leases. An expired lease that no other dispatcher has taken is
 * renewed too: no delivery was sent in between.
 */
export async function renewLeases(
  db: Database,
  owner: string,
  { leaseMs, takesPart }: { readonly leaseMs: number; readonly takesPart: boolean },
): Promise<void> {
  if (takesPart) await renewDispatcher(db, owner, leaseMs);
  else await removeDispatcher(db, owner);
  const sql = `UPDATE shard_leases SET expires_at = ${databaseNow(db)} + :leaseMs WHERE owner = :owner`;
  await execute(db, sql, { owner, leaseMs });
}

async function renewDispatcher(db: Database, owner: string, leaseMs: number): Promise<void> {
  const now = databaseNow(db);
  const known = await execute(
    db,
    `UPDATE dispatchers SET beats = beats + 1, expires_at = ${now} + :leaseMs WHERE id = :owner`,
    { owner, leaseMs },
  );
  if (known === 0) {
    await execute(db, `DELETE FROM dispatchers WHERE expires_at < ${now} - :leaseMs`, { leaseMs });
    await execute(db, `INSERT INTO dispatchers (id, beats, expires_at) VALUES (:owner, 0, ${now} + :leaseMs)`, {
      owner,
      leaseMs,
    });
  }
}

export async function readLeases(db: Database): Promise<LeaseState> {
  const now = databaseNow(db);
  const leases = await select<ShardLeaseRow & { now: number }>(
    db,
    `SELECT shard, owner, token, expires_at, ${now} AS now FROM shard_leases ORDER BY shard`,
  );
  const running = await select<{ id: string }>(db, `SELECT id FROM dispatchers WHERE expires_at > ${now} ORDER BY id`);
  return { now: leases[0]?.now ?? 0, leases, dispatchers: running.map(({ id }) => id) };
}

/**
 * Takes the leases of free or expired shards, unless another dispatcher is faster. One compare-and-swap for all shards,
 * so that a cluster decides at the commit. The fencing token grows with each change of owner. Resolves to the number taken.
 */
export async function takeShards(
  db: Database,
  owner: string,
  shards: readonly number[],
  leaseMs: number,
): Promise<number> {
  if (shards.length === 0) return 0;
  const now = databaseNow(db);
  return execute(
    db,
    `UPDATE shard_leases SET owner = :owner, token = token + 1, expires_at = ${now} + :leaseMs
     WHERE shard IN (:shards) AND (owner IS NULL OR expires_at <= ${now})`,
    { owner, shards, leaseMs },
  );
}

/** Releases shards, so that another dispatcher can take them at once. */
export async function releaseShards(db: Database, owner: string, shards: readonly number[]): Promise<void> {
  if (shards.length === 0) return;
  await execute(
    db,
    'UPDATE shard_leases SET owner = NULL, expires_at = 0 WHERE owner = :owner AND shard IN (:shards)',
    { owner, shards },
  );
}

/** Removes a dispatcher, so that the others take over its share. */
export async function removeDispatcher(db: Database, owner: string): Promise<void> {
  await execute(db, 'DELETE FROM dispatchers WHERE id = :owner', { owner });
}
