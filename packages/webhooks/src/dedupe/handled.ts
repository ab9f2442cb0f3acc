import { hasChanged } from '@plat/contract';
import type { WebhookEvent } from '../event.ts';
import { checkOptions } from '../options.ts';
import { checkFunction, type SqlDialect, type SqlQuery, sqlOf } from './sql-dialect.ts';

/** Options of {@link recordHandled}. */
export interface RecordOptions {
  /** Runs one statement in the transaction of the effect. */
  readonly query: SqlQuery;
  /** Kind of the database. Placeholders are `$1` in PostgreSQL, else `?`. */
  readonly dialect: SqlDialect;
  /** Name of the table; `plat_handled_events` when absent. Create it with {@link handledTableSql}. */
  readonly table?: string | undefined;
}

const TABLE = 'plat_handled_events';

/**
 * Returns the statement that creates the table of {@link recordHandled}, for your migration.
 * @throws {WebhookConfigurationError} `OPTION_INVALID` for an unknown dialect, and for a table name that needs quotes
 */
export function handledTableSql(dialect: SqlDialect, table = TABLE): string {
  const { key, engine } = sqlOf(dialect, table);
  return `CREATE TABLE IF NOT EXISTS ${table} (event_id ${key} NOT NULL PRIMARY KEY, handled_at BIGINT NOT NULL)${engine}`;
}

/**
 * Records an event in the transaction of its effect. This makes the effect exactly-once: both are committed, or neither.
 * A second delivery at the same time waits for the first transaction. Delete rows that are older than 72 hours now and
 * then; `handled_at` has milliseconds since the epoch.
 *
 * @returns false if the event was handled before: then skip the effect
 *
 * @example
 * await connection.beginTransaction();
 * if (await recordHandled(event, { dialect: 'mysql', query: (sql, values) => connection.execute(sql, [...values]) })) {
 *   await apply(connection, event);
 * }
 * await connection.commit();
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID`
 */
export async function recordHandled({ id }: Pick<WebhookEvent, 'id'>, options: RecordOptions): Promise<boolean> {
  checkOptions('recordHandled', options, { query: true, dialect: true, table: true });
  const { query, dialect } = options;
  checkFunction('query', query);
  const { table, placeholder } = sqlOf(dialect, options.table ?? TABLE);
  const into = `INTO ${table} (event_id, handled_at) VALUES (${placeholder(1)}, ${placeholder(2)})`;
  // IGNORE: the count of ON DUPLICATE KEY UPDATE depends on a flag of the connection.
  const sql = dialect === 'mysql' ? `INSERT IGNORE ${into}` : `INSERT ${into} ON CONFLICT (event_id) DO NOTHING`;
  return hasChanged(await query(sql, [id, Date.now()]));
}
