import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isConflict } from './conflicts.ts';
import { type Database, DatabaseUnusableError, reason } from './database.ts';
import { databaseNow } from './database-clock.ts';
import { type Migration, migrationDatabase } from './migrations/columns.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { execute, type Queryable, select, selectOne } from './sql.ts';

const LEASE_MS = 60_000;
const POLL_MS = 100;
/** Runs of a migration whose tables are locked: for about ten minutes. */
const MAX_RUNS = 120;
/** Time in ms between two of them. */
const UNLOCKED_MS = 2_000;

/** The migrations of a database, compared with those of this version. */
export interface SchemaState {
  readonly applied: readonly Migration[];
  readonly pending: readonly Migration[];
  /** Names of migrations of a newer version. Versions may run side by side on the newer schema. */
  readonly newer: readonly string[];
}

/** @param known migrations of this version; for tests */
export async function readSchema(db: Queryable, known: readonly Migration[] = MIGRATIONS): Promise<SchemaState> {
  const ran = new Set(await readNames(db));
  return {
    applied: known.filter(({ name }) => ran.has(name)),
    pending: known.filter(({ name }) => !ran.has(name)),
    newer: [...ran].filter((name) => known.every((migration) => migration.name !== name)).sort(),
  };
}

async function readNames(db: Queryable): Promise<readonly string[]> {
  const read = async (): Promise<readonly string[]> =>
    (await select<{ name: string }>(db, 'SELECT name FROM schema_migrations')).map(({ name }) => name);
  try {
    return await read();
  } catch {
    // Another process may have created the table since, so its presence does not make the first error worth reporting.
    return (await db.sequelize.getQueryInterface().tableExists('schema_migrations')) ? read() : [];
  }
}

/**
 * Returns true if every migration of this version has run. The database may have more, from a newer version. Used by
 * the readiness check.
 */
export async function isMigrated(db: Queryable): Promise<boolean> {
  return (await readSchema(db)).pending.length === 0;
}

/** @throws {@link DatabaseUnusableError} when a migration of this version has not run */
export async function requireMigrated(db: Database): Promise<void> {
  const { pending } = await readSchema(db);
  if (pending.length === 0) return;
  const names = pending.map(({ name }) => name);
  const shown = [...names.slice(0, 3), ...(names.length > 3 ? ['…'] : [])].join(', ');
  const missing = names.length === 1 ? 'migration' : 'migrations';
  throw new DatabaseUnusableError(
    `the database lacks ${names.length} ${missing} of this version (${shown}): run plat-server migrate up`,
  );
}

/** A migration that has run, with its duration in ms. */
export interface AppliedMigration {
  readonly name: string;
  readonly ms: number;
}

interface MigrateOptions {
  /** Called once when another process is migrating, and this one waits. */
  readonly onWait?: () => void;
  /** Migrations of this version; for tests. */
  readonly known?: readonly Migration[];
}

/**
 * Runs the pending migrations. Processes that start together run one after the other.
 * @throws {@link DatabaseUnusableError} when one fails; those before it stay
 */
export async function migrate(
  db: Database,
  { onWait = () => {}, known = MIGRATIONS }: MigrateOptions = {},
): Promise<readonly AppliedMigration[]> {
  // No lease without pending migrations: a process killed while it holds the lease would delay every start by a minute.
  if ((await readSchema(db, known)).pending.length === 0) return [];
  const { MigrationError, SequelizeStorage, Umzug } = await import('umzug');
  const dialect = db.kind === 'sqlite' ? 'sqlite' : 'server';
  const applied: AppliedMigration[] = [];
  let requireLease: () => Promise<void>;
  const umzug = new Umzug({
    migrations: known.map(({ name, up }) => ({
      name,
      async up() {
        await requireLease();
        const startedAt = performance.now();
        await untilUnlocked(requireLease, () => up(migrationDatabase(db.sequelize.getQueryInterface(), dialect)));
        applied.push({ name, ms: Math.round(performance.now() - startedAt) });
      },
    })),
    storage: new SequelizeStorage({
      sequelize: db.sequelize,
      tableName: 'schema_migrations',
      modelName: 'schema_migrations',
    }),
    logger: undefined,
  });
  return withLease(db, onWait, async (require) => {
    requireLease = require;
    try {
      await db.unlimited(() => umzug.up());
      return applied;
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      if (error.cause instanceof DatabaseUnusableError) throw error.cause;
      throw new DatabaseUnusableError(`the migration ${error.migration.name} failed: ${reason(error.cause)}`, {
        cause: error,
      });
    }
  });
}

/**
 * Runs a migration again while long transactions use its tables. Between two runs the statements that waited behind it
 * continue. Its operations that are done already are skipped.
 */
async function untilUnlocked(requireLease: () => Promise<void>, up: () => Promise<void>): Promise<void> {
  for (let runs = 1; ; runs++) {
    try {
      return await up();
    } catch (error) {
      if (!isConflict(error) || runs === MAX_RUNS) throw error;
      await wait(UNLOCKED_MS);
      await requireLease();
    }
  }
}

/**
 * Holds a row by compare-and-swap. It works on clusters too, where locks are local to one node.
 * @param work gets a function that renews the lease, and throws {@link DatabaseUnusableError} when another process has
 *   taken it: a process that was paused longer than its lease must not continue
 */
async function withLease<T>(
  db: Database,
  onWait: () => void,
  work: (require: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const owner = randomUUID();
  await createLease(db).catch((error: unknown) => {
    throw new DatabaseUnusableError(`the database cannot be migrated: ${reason(error)}`, { cause: error });
  });
  // A process whose clock is wrong neither takes the lease of another nor holds its own too long.
  const now = databaseNow(db);
  const take = (condition: string): Promise<number> =>
    execute(
      db,
      `UPDATE migration_lease SET owner = :owner, expires_at = ${now} + :leaseMs WHERE id = 1 AND ${condition}`,
      { owner, leaseMs: LEASE_MS },
    );
  // Only the owner renews: another process may have taken the lease, run the migrations and returned it.
  const renew = (): Promise<number> => take('owner = :owner');
  const requireLease = async (): Promise<void> => {
    await renew();
    // The number of changed rows is 0 too when the lease is renewed twice within a millisecond.
    const lease = await selectOne<{ owner: string }>(db, 'SELECT owner FROM migration_lease WHERE id = 1');
    if (lease?.owner !== owner)
      throw new DatabaseUnusableError('another process took over the migration; run it again');
  };
  for (let polls = 0; (await take(`expires_at < ${now}`)) === 0; polls++) {
    if (polls === 0) onWait();
    await wait(POLL_MS);
  }
  const heartbeat = setInterval(() => void renew().catch(() => undefined), LEASE_MS / 4);
  try {
    return await work(requireLease);
  } finally {
    clearInterval(heartbeat);
    // Its failure must not hide the error of the work. The lease expires by itself.
    await execute(db, 'UPDATE migration_lease SET expires_at = 0 WHERE id = 1 AND owner = :owner', { owner }).catch(
      () => undefined,
    );
  }
}

async function createLease(db: Database): Promise<void> {
  // Another engine, which may be the default of the server, would not be shared by the nodes of a cluster.
  const engine = db.kind === 'sqlite' ? '' : ' ENGINE=InnoDB';
  const columns = 'id INTEGER NOT NULL PRIMARY KEY, owner VARCHAR(36) NOT NULL, expires_at BIGINT NOT NULL';
  await execute(db, `CREATE TABLE IF NOT EXISTS migration_lease (${columns})${engine}`);
  const ignore = db.kind === 'sqlite' ? 'INSERT OR IGNORE' : 'INSERT IGNORE';
  await execute(db, `${ignore} INTO migration_lease (id, owner, expires_at) VALUES (1, '', 0)`);
}
