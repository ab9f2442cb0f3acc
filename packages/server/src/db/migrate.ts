import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Database, DatabaseUnusableError, reason } from './database.ts';
import { databaseNow } from './database-clock.ts';
import { migrationDatabase } from './migrations/columns.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { execute, select, selectOne } from './sql.ts';

const LEASE_MS = 60_000;
const POLL_MS = 100;

/** Runs the pending migrations and resolves to their names. Processes that start together run one after the other. */
export async function migrate(db: Database): Promise<readonly string[]> {
  // No lease without pending migrations: a process killed while it holds the lease would delay every start by a minute.
  if (await isComplete(db)) return [];
  const { MigrationError, SequelizeStorage, Umzug } = await import('umzug');
  const dialect = db.kind === 'sqlite' ? 'sqlite' : 'server';
  const storage = new SequelizeStorage({
    sequelize: db.sequelize,
    tableName: 'schema_migrations',
    modelName: 'schema_migrations',
  });
  const umzug = new Umzug({
    migrations: MIGRATIONS.map(({ name, up }) => ({
      name,
      up: () => up(migrationDatabase(db.sequelize.getQueryInterface(), dialect)),
    })),
    storage,
    logger: undefined,
  });
  return withLease(db, async () => {
    // Read from the table: Umzug's own list omits migrations that it has no file for.
    const unknown = (await storage.executed()).filter((name) => !isKnown(name));
    if (unknown.length > 0) {
      throw new DatabaseUnusableError(
        `the database was migrated by a newer version (it has ${unknown.join(', ')}): run that version`,
      );
    }
    try {
      return (await db.unlimited(() => umzug.up())).map(({ name }) => name);
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      throw new DatabaseUnusableError(`the migration ${error.migration.name} failed: ${reason(error.cause)}`, {
        cause: error,
      });
    }
  });
}

function isKnown(name: string): boolean {
  return MIGRATIONS.some((known) => known.name === name);
}

/**
 * Returns true if exactly the known migrations have run. False for a database without the list, or one that does not
 * answer.
 */
async function isComplete(db: Database): Promise<boolean> {
  const ran = await select<{ name: string }>(db, 'SELECT name FROM schema_migrations').catch(() => []);
  return ran.length === MIGRATIONS.length && ran.every(({ name }) => isKnown(name));
}

/** Holds a row by compare-and-swap. It works on clusters too, where locks are local to one node. */
async function withLease<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const owner = randomUUID();
  await execute(
    db,
    'CREATE TABLE IF NOT EXISTS migration_lease (id INTEGER NOT NULL PRIMARY KEY, owner VARCHAR(36) NOT NULL, expires_at BIGINT NOT NULL)',
  );
  const ignore = db.kind === 'sqlite' ? 'INSERT OR IGNORE' : 'INSERT IGNORE';
  await execute(db, `${ignore} INTO migration_lease (id, owner, expires_at) VALUES (1, '', 0)`);
  // A process whose clock is wrong neither takes the lease of another nor holds its own too long.
  const now = databaseNow(db);
  const take = (): Promise<number> =>
    execute(
      db,
      `UPDATE migration_lease SET owner = :owner, expires_at = ${now} + :leaseMs WHERE id = 1 AND (expires_at < ${now} OR owner = :owner)`,
      { owner, leaseMs: LEASE_MS },
    );
  while ((await take()) === 0) await wait(POLL_MS);
  const heartbeat = setInterval(() => void take().catch(() => undefined), LEASE_MS / 4);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await execute(db, 'UPDATE migration_lease SET expires_at = 0 WHERE id = 1 AND owner = :owner', { owner });
  }
}

/** The migrations of a database, compared with those of this program. */
export interface SchemaState {
  readonly applied: number;
  /** Migrations of this program that have not run. */
  readonly pending: readonly string[];
  /** Migrations of a newer program. */
  readonly unknown: readonly string[];
}

/** Reads the migrations of a database; of one without tables, all are pending. */
export async function readSchema(db: Database): Promise<SchemaState> {
  const ran = await select<{ name: string }>(db, 'SELECT name FROM schema_migrations').catch(() => []);
  const names = new Set(ran.map(({ name }) => name));
  return {
    applied: names.size,
    pending: MIGRATIONS.map(({ name }) => name).filter((name) => !names.has(name)),
    unknown: [...names].filter((name) => !isKnown(name)),
  };
}

/** Returns true if every migration has run. Used by the readiness check. */
export async function isMigrated(db: Database): Promise<boolean> {
  const row = await selectOne<{ ran: number }>(db, 'SELECT COUNT(*) AS ran FROM schema_migrations');
  return row?.ran === MIGRATIONS.length;
}
