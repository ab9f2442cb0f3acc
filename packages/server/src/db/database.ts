import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Sequelize } from 'sequelize';
import type { DatabaseConfig } from '../config/connections.ts';
import { observePool } from './observe-pool.ts';
import { observeConnection } from './observe-statements.ts';
import type { Connection } from './sequelize-internals.ts';
import { NEEDED, parseServerVersion } from './server-version.ts';
import { shortenTransactions } from './short-transactions.ts';
import { type Queryable, selectOne } from './sql.ts';
import { createSqliteModule } from './sqlite-adapter.ts';
import { defineModels, type Models } from './tables/index.ts';

/** An open database with its models. */
export interface Database extends Queryable {
  readonly kind: 'sqlite' | 'mysql' | 'mariadb';
  readonly models: Models;
  close(): Promise<void>;
}

/** Thrown when a database cannot be used. Its message is one line for the operator. */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError';
}

/**
 * Opens a database and checks that it can be used.
 * @throws {@link DatabaseUnusableError} when it is unreachable, too old or not writable.
 */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  return config.dialect === 'sqlite' ? openSqlite(config.path) : openServer(config);
}

async function openSqlite(path: string): Promise<Database> {
  const sqlite = createSqliteModule();
  const sequelize = new Sequelize({ dialect: 'sqlite', storage: path, dialectModule: sqlite, logging: false });
  try {
    // SQLite would make the file readable for everyone. Its companion files get the mode of this one.
    closeSync(openSync(path, 'a', 0o600));
    await selectOne({ sequelize }, 'SELECT 1');
  } catch (error) {
    throw new DatabaseUnusableError(`cannot open the SQLite file ${path}: ${reason(error)}`);
  }
  return {
    kind: 'sqlite',
    sequelize,
    models: defineModels(sequelize),
    async close() {
      await sequelize.close();
      sqlite.closeAll();
    },
  };
}

async function openServer(config: DatabaseConfig & { dialect: 'mysql' }): Promise<Database> {
  const sequelize = new Sequelize(config.database, config.user, config.password, {
    dialect: 'mysql',
    dialectModule: createRequire(import.meta.url)('mysql2'),
    host: config.host,
    port: config.port,
    logging: false,
    pool: { max: config.poolSize, min: 0, idle: 30_000, acquire: 15_000 },
    dialectOptions: {
      // With these two options, Sequelize does not convert rows, so mysql2 keeps one row parser for each query.
      dateStrings: true,
      typeCast: true,
      // Limit for each connection; the server allows 16,382 in total.
      maxPreparedStatements: 256,
      charset: 'utf8mb4',
      connectTimeout: 10_000,
      ...(config.tls ? { ssl: {} } : {}),
    },
    hooks: {
      async afterConnect(connection: unknown) {
        await prepareSession(connection);
        observeConnection(connection as Connection);
      },
    },
  });
  shortenTransactions(sequelize);
  const endGauges = observePool(sequelize);
  const close = (): Promise<void> => {
    endGauges();
    return sequelize.close();
  };
  const where = `${config.host}:${config.port}/${config.database}`;
  try {
    const row = await selectOne<{ version: string }>({ sequelize }, 'SELECT VERSION() AS version');
    const { kind, isSupported } = parseServerVersion(row?.version ?? '');
    if (!isSupported) {
      throw new DatabaseUnusableError(
        `the database at ${where} is ${kind} ${row?.version}, which is too old: ${NEEDED} is needed`,
      );
    }
    return { kind, sequelize, models: defineModels(sequelize), close };
  } catch (error) {
    await close();
    if (error instanceof DatabaseUnusableError) throw error;
    throw new DatabaseUnusableError(`cannot use the database at ${where}: ${reason(error)}`);
  }
}

/** Runs once for each connection, so that transactions need not repeat it. */
async function prepareSession(connection: unknown): Promise<void> {
  for (const statement of [
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
  ]) {
    await runOn(connection as RawConnection, statement);
  }
  // A change acknowledged by one node of a Galera cluster must be visible to a request through another. With this,
  // SELECT and the beginning of a transaction wait until their node has applied the commits of the others.
  if (await isInCluster(connection as RawConnection)) {
    await runOn(connection as RawConnection, 'SET SESSION wsrep_sync_wait = 1');
  }
}

async function isInCluster(connection: RawConnection): Promise<boolean> {
  // Selecting the variable by name fails on servers without it.
  const rows = await runOn(connection, "SHOW VARIABLES LIKE 'wsrep_on'");
  return Array.isArray(rows) && rows.some((row: { Value?: unknown }) => row.Value === 'ON');
}

/** The connection that Sequelize passes to `afterConnect` on MySQL: one of mysql2. */
interface RawConnection {
  query(sql: string, done: (error: Error | null, rows: unknown) => void): void;
}

function runOn(connection: RawConnection, sql: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  connection.query(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
  return promise;
}

/** Returns the first line of an error's message. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message.split('\n', 1).join('') : String(error);
}
