import { closeSync, openSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Sequelize } from 'sequelize';
import type { DatabaseConfig } from '../config/connections.ts';
import { OperatorError } from '../kernel/operator-error.ts';
import { createMysqlPool, type MysqlPool } from './mysql-pool.ts';
import { observePool } from './observe-pool.ts';
import { NEEDED, parseServerVersion } from './server-version.ts';
import { shortenTransactions } from './short-transactions.ts';
import { execute, type Queryable, selectOne } from './sql.ts';
import { defineModels, type Models } from './tables/index.ts';

/** Time to wait for a connection of the pool, in ms. */
const ACQUIRE_MS = 10_000;

/** An open database with its models. */
export interface Database extends Queryable {
  readonly kind: 'sqlite' | 'mysql' | 'mariadb';
  readonly models: Models;
  /** True on a Galera cluster, where row locks are local to one node. */
  readonly isCluster: boolean;
  /** A connection for readiness checks, which waits for no other work of this process. On SQLite, the same as the others. */
  readonly probe: Queryable;
  /**
   * Checks that the database accepts changes. It changes nothing, and waits for no other writer.
   * @throws the error of the database or of the file system
   */
  checkWritable(): Promise<void>;
  /** Runs work whose statements may take any time, such as migrations. */
  unlimited<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Thrown when a database cannot be used. */
export class DatabaseUnusableError extends OperatorError {
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
  // Node 22 and early versions of 24 warn when node:sqlite is loaded, which servers on another database never use.
  const { createSqliteModule } = await import('./sqlite-adapter.ts');
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
    isCluster: false,
    probe: { sequelize },
    // A statement would wait for the one writer.
    checkWritable: () => access(path, constants.W_OK),
    unlimited: (work) => work(),
    async close() {
      await sequelize.close();
      sqlite.closeAll();
    },
  };
}

type ServerConfig = Extract<DatabaseConfig, { dialect: 'mysql' }>;

async function openServer(config: ServerConfig): Promise<Database> {
  const main = connectServer(config);
  const probe = connectServer({ ...config, poolSize: 1 });
  const { sequelize } = main;
  const endGauges = observePool(sequelize);
  const where = placeOf(config);
  const close = async (): Promise<void> => {
    endGauges();
    await Promise.all([main.close(), probe.close()]);
  };
  try {
    const row = await selectOne<{ version: string }>({ sequelize }, 'SELECT VERSION() AS version');
    const { kind, isSupported } = parseServerVersion(row?.version ?? '');
    if (!isSupported) {
      throw new DatabaseUnusableError(
        `the database at ${where} is ${kind} ${row?.version}, which is too old: ${NEEDED} is needed`,
      );
    }
    return {
      kind,
      sequelize,
      models: defineModels(sequelize),
      get isCluster() {
        return main.isCluster();
      },
      probe,
      async checkWritable() {
        await execute(probe, CHANGE_NOTHING);
      },
      unlimited: main.unlimited,
      close,
    };
  } catch (error) {
    await close();
    if (error instanceof DatabaseUnusableError) throw error;
    throw new DatabaseUnusableError(`cannot use the database at ${where}: ${reason(error)}`, { cause: error });
  }
}

/** Creates a pool of connections to a database server. The first statement connects. */
function connectServer(
  config: ServerConfig,
): Queryable & Pick<Database, 'unlimited' | 'close'> & Pick<MysqlPool, 'isCluster'> {
  const pool = createMysqlPool(config);
  const sequelize = new Sequelize(config.database, config.user, config.password, {
    dialect: 'mysql',
    dialectModule: createRequire(import.meta.url)('mysql2'),
    logging: false,
    pool: { max: config.poolSize, min: 0, idle: 30_000, acquire: ACQUIRE_MS, ...pool.options.pool },
    hooks: pool.options.hooks,
    dialectOptions: {
      // With these two options, Sequelize does not convert rows, so mysql2 keeps one row parser for each query.
      dateStrings: true,
      typeCast: true,
      // Limit for each connection; the server allows 16,382 in total.
      maxPreparedStatements: 256,
      charset: 'utf8mb4',
      ...(config.tls ? { ssl: {} } : {}),
    },
  });
  pool.attach(sequelize);
  shortenTransactions(sequelize);
  return {
    sequelize,
    unlimited: pool.unlimited,
    isCluster: pool.isCluster,
    async close() {
      await sequelize.close();
      pool.close();
    },
  };
}

/** A server that is read-only refuses it before it looks for rows; on a writable one it finds none, and locks nothing. */
const CHANGE_NOTHING = "DELETE FROM schema_migrations WHERE name = ''";

/** Distinguishes databases: the file, or the servers and the name. */
export function placeOf(config: DatabaseConfig): string {
  if (config.dialect === 'sqlite') return config.path;
  return `${config.hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${config.database}`;
}

/** Returns the first line of an error's message. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message.split('\n', 1).join('') : String(error);
}
