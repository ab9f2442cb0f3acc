import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Sequelize } from 'sequelize';
import type { DatabaseConfig } from '../config/connections.ts';
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

/** Thrown when a database cannot be used; its message is one line for the operator. */
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
    // SQLite would make it readable for everyone; the files it puts beside it have the mode of this one.
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
      // Sequelize leaves rows alone with these two, so mysql2 keeps one row parser for each query.
      dateStrings: true,
      typeCast: true,
      // For each connection; the server has 16,382 for all.
      maxPreparedStatements: 256,
      charset: 'utf8mb4',
      connectTimeout: 10_000,
      ...(config.tls ? { ssl: {} } : {}),
    },
    hooks: {
      async afterConnect(connection: unknown) {
        await prepareSession(connection);
      },
    },
  });
  shortenTransactions(sequelize);
  const where = `${config.host}:${config.port}/${config.database}`;
  try {
    const row = await selectOne<{ version: string }>({ sequelize }, 'SELECT VERSION() AS version');
    const { kind, isSupported } = parseServerVersion(row?.version ?? '');
    if (!isSupported) {
      throw new DatabaseUnusableError(
        `the database at ${where} is ${kind} ${row?.version}, which is too old: ${NEEDED} is needed`,
      );
    }
    return { kind, sequelize, models: defineModels(sequelize), close: () => sequelize.close() };
  } catch (error) {
    await sequelize.close();
    if (error instanceof DatabaseUnusableError) throw error;
    throw new DatabaseUnusableError(`cannot use the database at ${where}: ${reason(error)}`);
  }
}

/** Once for each connection, so that no transaction has to say it. */
async function prepareSession(connection: unknown): Promise<void> {
  for (const statement of [
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
  ]) {
    await runOn(connection as RawConnection, statement);
  }
  // What was answered through one node of a Galera cluster is there for a request through another: SELECT and the
  // beginning of a transaction wait until their node knows what the others had committed.
  if (await isInCluster(connection as RawConnection)) {
    await runOn(connection as RawConnection, 'SET SESSION wsrep_sync_wait = 1');
  }
}

async function isInCluster(connection: RawConnection): Promise<boolean> {
  // Asked for by name it would be an error where there is no such variable.
  const rows = await runOn(connection, "SHOW VARIABLES LIKE 'wsrep_on'");
  return Array.isArray(rows) && rows.some((row: { Value?: unknown }) => row.Value === 'ON');
}

/** What Sequelize hands to `afterConnect` on MySQL: a connection of mysql2. */
interface RawConnection {
  query(sql: string, done: (error: Error | null, rows: unknown) => void): void;
}

function runOn(connection: RawConnection, sql: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  connection.query(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
  return promise;
}

/** The first line of what an error says. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message.split('\n', 1).join('') : String(error);
}
