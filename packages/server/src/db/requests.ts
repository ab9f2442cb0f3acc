import type { Database } from './database.ts';
import { execute, executeText } from './sql.ts';
import { columnsOf, insertColumns } from './statements.ts';
import { REQUESTS, type RequestRow } from './tables/requests.ts';

export type { RequestRow };

/** Tenant of requests without a valid credential. It sorts before every tenant id, and never equals one. */
export const NO_TENANT = '-';

const REQUEST_COLUMNS = columnsOf(REQUESTS);

/** SQL: the beginning of each statement that writes the request log. */
export const REQUEST_LOG_INSERT = insertColumns(REQUESTS, REQUEST_COLUMNS);

/** Maximum number of entries written at once: one statement, which the database prepares once. */
export const REQUESTS_AT_ONCE = 100;

const INSERT_AS_MANY = insertOf(REQUESTS_AT_ONCE);

/** Writes one or more entries of the request log. */
export async function insertRequests(db: Database, rows: readonly RequestRow[]): Promise<void> {
  const values: Record<string, string | number | null> = {};
  for (const [index, row] of rows.entries()) {
    for (const column of REQUEST_COLUMNS) values[`${column}_${index}`] = row[column];
  }
  if (rows.length === REQUESTS_AT_ONCE) await execute(db, INSERT_AS_MANY, values);
  else await executeText(db, insertOf(rows.length), values);
}

function insertOf(count: number): string {
  const tuples = Array.from({ length: count }, (_, index) => {
    return `(${REQUEST_COLUMNS.map((column) => `:${column}_${index}`).join(', ')})`;
  });
  return `${REQUEST_LOG_INSERT} VALUES ${tuples.join(', ')}`;
}
