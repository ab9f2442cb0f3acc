import { InvalidArgumentError } from '../../errors/usage-errors.ts';

/** Databases that {@link sqlStore} supports. `mysql` includes MariaDB. */
export type SqlDialect = 'mysql' | 'postgresql' | 'sqlite';

/** SQL differences between the databases. */
interface Dialect {
  readonly columns: string;
  /** End of the statement that creates the table. Other engines of MySQL lose rows in a crash. */
  readonly engine: string;
  /** Returns the placeholder of a value, counted from 1. */
  readonly placeholder: (index: number) => string;
  /** Clause after an INSERT that ignores an existing key; undefined if only the error reports it. */
  readonly ifAbsent: string | undefined;
}

const onConflict = ' ON CONFLICT (grant_key) DO NOTHING';

const DIALECTS: Readonly<Record<SqlDialect, Dialect>> = {
  mysql: {
    columns:
      'grant_key VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY, version BIGINT NOT NULL, value TEXT NOT NULL',
    engine: ' ENGINE = InnoDB',
    placeholder: () => '?',
    ifAbsent: undefined,
  },
  postgresql: {
    columns: 'grant_key VARCHAR(191) COLLATE "C" NOT NULL PRIMARY KEY, version BIGINT NOT NULL, value TEXT NOT NULL',
    engine: '',
    placeholder: (index) => `$${index}`,
    ifAbsent: onConflict,
  },
  sqlite: {
    columns: 'grant_key TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL',
    engine: '',
    placeholder: () => '?',
    ifAbsent: onConflict,
  },
};

/** @throws {@link InvalidArgumentError} */
export function dialectOf(name: SqlDialect): Dialect {
  if (Object.hasOwn(DIALECTS, name)) return DIALECTS[name];
  throw new InvalidArgumentError('dialect', `must be one of ${Object.keys(DIALECTS).join(', ')}`);
}

/** @throws {@link InvalidArgumentError} if the name of the table needs quotes */
export function checkTable(table: string): string {
  if (typeof table === 'string' && /^\w+(\.\w+)?$/.test(table)) return table;
  throw new InvalidArgumentError('table', 'must be a name of letters, digits and _');
}

/**
 * Returns the statement that creates the table of {@link sqlStore}, for your migration.
 * @param table name of the table; `plat_grants` when absent
 * @throws {@link InvalidArgumentError} for an unknown dialect, and when the table's name needs quotes
 */
export function grantsTableSql(dialect: SqlDialect, table = 'plat_grants'): string {
  const { columns, engine } = dialectOf(dialect);
  return `CREATE TABLE IF NOT EXISTS ${checkTable(table)} (${columns})${engine}`;
}
