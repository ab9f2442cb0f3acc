import { type QueryInterface, QueryTypes } from 'sequelize';
import { BACKFILL_PACE, type Backfill, backfill } from './backfill.ts';
import type { MigrationStatements, MigrationValues } from './migration-statements.ts';

/** Column types by their content. Collations are named, so that comparisons never depend on a server's default. */
export interface ColumnTypes {
  readonly id: string;
  /** ASCII, compared byte by byte: slugs, types, statuses. */
  ascii(length: number): string;
  text(length: number): string;
  readonly longText: string;
  readonly hash: string;
  readonly bytes: string;
  readonly longBytes: string;
  /** Milliseconds since the epoch. */
  readonly instant: string;
  readonly integer: string;
}

const SERVER: ColumnTypes = {
  id: 'CHAR(30) CHARACTER SET ascii COLLATE ascii_bin',
  ascii: (length) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`,
  text: (length) => `VARCHAR(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
  longText: 'MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  hash: 'BINARY(32)',
  bytes: 'VARBINARY(1024)',
  longBytes: 'MEDIUMBLOB',
  instant: 'BIGINT',
  integer: 'INT',
};

const SQLITE: ColumnTypes = {
  id: 'TEXT',
  ascii: () => 'TEXT',
  text: () => 'TEXT',
  longText: 'TEXT',
  hash: 'BLOB',
  bytes: 'BLOB',
  longBytes: 'BLOB',
  instant: 'INTEGER',
  integer: 'INTEGER',
};

/** The types of a kind of database. */
export function columnTypes(dialect: 'sqlite' | 'server'): ColumnTypes {
  return dialect === 'sqlite' ? SQLITE : SERVER;
}

/** One migration with its permanent name. Migrations are never edited after their release. */
export interface Migration {
  readonly name: string;
  up(database: MigrationDatabase): Promise<void>;
}

export interface MigrationDatabase extends MigrationStatements {
  readonly types: ColumnTypes;
  /** Creates a table whose rows are stored in the order of its primary key, in every database. */
  createTable(name: string, columns: readonly string[]): Promise<void>;
  /** Creates an index. On a server, changes of the table continue meanwhile. */
  createIndex(name: string, table: string, columns: readonly string[], options?: { unique?: boolean }): Promise<void>;
  dropIndex(name: string, table: string): Promise<void>;
  /** Adds a column, given as `name type`, to existing rows too. */
  addColumn(table: string, column: string): Promise<void>;
  /** Removes a column with its data. */
  dropColumn(table: string, column: string): Promise<void>;
  /** Fills a new column of existing rows in batches, outside of a transaction. Changes of the table continue. */
  backfill(fill: Backfill): Promise<void>;
}

export function migrationDatabase(query: QueryInterface, dialect: 'sqlite' | 'server'): MigrationDatabase {
  const run = async (sql: string, values?: MigrationValues): Promise<void> => {
    await query.sequelize.query(sql, values ? { replacements: { ...values } } : {});
  };
  const tail =
    dialect === 'sqlite' ? 'WITHOUT ROWID' : 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci';
  const read = <Row extends object>(sql: string, values: MigrationValues): Promise<Row[]> =>
    query.sequelize.query<Row>(sql, { replacements: { ...values }, type: QueryTypes.SELECT, raw: true });
  return {
    types: columnTypes(dialect),
    createTable: (name, columns) => run(`CREATE TABLE IF NOT EXISTS ${name} (\n  ${columns.join(',\n  ')}\n) ${tail}`),
    async createIndex(name, table, columns, options = {}) {
      // MySQL has no CREATE INDEX IF NOT EXISTS, and its DDL cannot be rolled back: an interrupted migration runs
      // again.
      if (await hasIndex(query, table, name)) return;
      const online = dialect === 'sqlite' ? '' : ' ALGORITHM=INPLACE LOCK=NONE';
      const kind = options.unique ? 'UNIQUE INDEX' : 'INDEX';
      await run(`CREATE ${kind} ${name} ON ${table} (${columns.join(', ')})${online}`);
    },
    async dropIndex(name, table) {
      if (!(await hasIndex(query, table, name))) return;
      await run(dialect === 'sqlite' ? `DROP INDEX ${name}` : `DROP INDEX ${name} ON ${table}`);
    },
    async addColumn(table, column) {
      const [name = ''] = column.split(' ');
      if (name in (await query.describeTable(table))) return;
      await run(`ALTER TABLE ${table} ADD COLUMN ${column}`);
    },
    async dropColumn(table, column) {
      if (column in (await query.describeTable(table))) await run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    },
    backfill: (fill) => backfill({ read, run }, fill, BACKFILL_PACE[dialect]),
    read,
    run,
  };
}

async function hasIndex(query: QueryInterface, table: string, name: string): Promise<boolean> {
  const indexes: unknown = await query.showIndex(table);
  return Array.isArray(indexes) && indexes.some((index: { name?: unknown }) => index.name === name);
}
