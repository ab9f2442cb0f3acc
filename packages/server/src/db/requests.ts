import type { Database } from './database.ts';
import { execute, executeText } from './sql.ts';
import { columnsOf, insertColumns, insertMany } from './statements.ts';
import { REQUEST_BODIES, type RequestBodiesRow } from './tables/request-bodies.ts';
import { REQUESTS, type RequestRow } from './tables/requests.ts';

export type { RequestBodiesRow, RequestRow };

/** Tenant of requests without a valid credential. It sorts before every tenant id, and never equals one. */
export const NO_TENANT = '-';

const REQUEST_COLUMNS = columnsOf(REQUESTS);
const BODY_COLUMNS = columnsOf(REQUEST_BODIES);

/** SQL: the beginning of each statement that writes the request log. */
export const REQUEST_LOG_INSERT = insertColumns(REQUESTS, REQUEST_COLUMNS);

/** Maximum number of entries written at once: one statement, which the database prepares once. */
export const REQUESTS_AT_ONCE = 100;

const INSERT_AS_MANY = insertMany(REQUESTS, REQUEST_COLUMNS, REQUESTS_AT_ONCE);

/** Writes one or more entries of the request log. */
export async function insertRequests(db: Database, rows: readonly RequestRow[]): Promise<void> {
  const values = valuesOf(REQUEST_COLUMNS, rows);
  if (rows.length === REQUESTS_AT_ONCE) await execute(db, INSERT_AS_MANY, values);
  else await executeText(db, insertMany(REQUESTS, REQUEST_COLUMNS, rows.length), values);
}

/** Writes one or more bodies of the request log. */
export async function insertBodies(db: Database, rows: readonly RequestBodiesRow[]): Promise<void> {
  await executeText(db, insertMany(REQUEST_BODIES, BODY_COLUMNS, rows.length), valuesOf(BODY_COLUMNS, rows));
}

function valuesOf<Name extends string>(
  columns: readonly Name[],
  rows: readonly Readonly<Record<Name, string | number | null>>[],
): Record<string, string | number | null> {
  const values: Record<string, string | number | null> = {};
  for (const [index, row] of rows.entries()) {
    for (const column of columns) values[`${column}_${index}`] = row[column];
  }
  return values;
}
