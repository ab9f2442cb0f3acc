import { type IdKind, isId, LIMITS, type ListParams } from '@plat/contract';
import { ApiError } from '../kernel/api-error.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import type { Database } from './database.ts';
import { type SqlValues, select, usingIndex } from './sql.ts';
import { columnsOf } from './statements.ts';
import type { ColumnOf, RowOf, Table } from './tables/table.ts';

interface PageOf<T extends Table, Name extends ColumnOf<T>> extends PageOptions {
  readonly table: T;
  /** All columns when absent. */
  readonly columns?: readonly Name[];
}

interface JoinedPageOf extends PageOptions {
  /** SQL: tables with their joins. */
  readonly from: string;
  /** SQL: column names or expressions with an alias. */
  readonly columns: readonly string[];
}

interface PageOptions {
  /** The kind of the ids in the list, which cursors must have. */
  readonly kind: IdKind;
  /** The column of these ids; `id` when absent. */
  readonly idColumn?: string;
  /** null for a list that is the same for every tenant. */
  readonly tenantId: string | null;
  readonly params: ListParams;
  /** Further conditions, each with its values. */
  readonly where?: readonly Condition[];
  /** The index to read, where the optimizer may choose a worse one. */
  readonly index?: string | undefined;
}

/** A condition of a list with the values of its replacements. */
export interface Condition {
  readonly sql: string;
  readonly values: SqlValues;
}

interface PageRows<Row> {
  readonly rows: Row[];
  readonly hasMore: boolean;
}

/**
 * Returns one page of a tenant's rows, newest first. Reads a range of the primary key (tenant_id, …, id), at any depth.
 * The row of the cursor may be deleted.
 * @throws {@link ApiError} INVALID_CURSOR, INVALID_REQUEST
 */
export function selectPage<T extends Table, Name extends ColumnOf<T> = ColumnOf<T>>(
  db: Database,
  { table, columns, ...page }: PageOf<T, Name>,
): Promise<PageRows<Pick<RowOf<T>, Name>>> {
  return selectJoinedPage(db, { from: table.name, columns: columns ?? columnsOf(table), ...page });
}

/**
 * {@link selectPage} of a join. The caller names the type of the rows.
 * @throws {@link ApiError} INVALID_CURSOR, INVALID_REQUEST
 */
export async function selectJoinedPage<Row extends object>(
  db: Database,
  { from, columns, kind, idColumn = 'id', tenantId, params, where = [], index }: JoinedPageOf,
): Promise<PageRows<Row>> {
  requireCursors(kind, params);
  const { limit = LIMITS.page.default, starting_after: after, ending_before: before } = params;
  const backwards = before !== undefined;
  // Without statistics, SQLite would rather read all rows of the tenant in their order than use the index of a filter.
  const conditions = where.map(({ sql }) => (db.kind === 'sqlite' ? `unlikely(${sql})` : sql));
  if (tenantId !== null) conditions.unshift('tenant_id = :tenantId');
  if (after !== undefined) conditions.push(`${idColumn} < :cursor`);
  if (before !== undefined) conditions.push(`${idColumn} > :cursor`);
  const whereClause = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const values: SqlValues = Object.assign({ tenantId, cursor: after ?? before ?? null }, ...where.map((c) => c.values));
  const rows = await select<Row>(
    db,
    `SELECT ${columns.join(', ')} FROM ${from} ${index === undefined ? '' : usingIndex(db, index)} ${whereClause} ORDER BY ${idColumn} ${backwards ? 'ASC' : 'DESC'} LIMIT ${limit + 1}`,
    values,
  );
  const hasMore = rows.length > limit;
  if (hasMore) rows.length = limit;
  if (backwards) rows.reverse();
  return { rows, hasMore };
}

/**
 * Checks the cursors of a list.
 * @throws {@link ApiError} INVALID_CURSOR, INVALID_REQUEST
 */
export function requireCursors(kind: IdKind, { starting_after: after, ending_before: before }: ListParams): void {
  if (after !== undefined && before !== undefined) {
    const message = 'give starting_after or ending_before, not both';
    throw new ApiError('INVALID_REQUEST', `The request is not valid: ${message}`, {
      errors: [{ path: 'ending_before', message }],
    });
  }
  for (const cursor of [after, before]) {
    if (cursor !== undefined && !isId(kind, cursor)) {
      throw new ApiError('INVALID_CURSOR', 'The cursor must be an id from an earlier answer of this list');
    }
  }
}

/** Returns the condition that a column has a value, or none when the filter is absent. */
export function filter(column: string, value: string | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = :${column}`, values: { [column]: value } }];
}

/**
 * Returns time bounds as bounds of ids, which begin with their time: no index but the primary key is needed. Both are
 * exclusive.
 */
export function createdBetween(
  kind: IdKind,
  {
    created_after: after,
    created_before: before,
  }: { readonly created_after?: string; readonly created_before?: string },
): Condition[] {
  const conditions: Condition[] = [];
  if (after !== undefined) {
    conditions.push({
      sql: 'id >= :createdAfter',
      values: { createdAfter: lowestIdAt(kind, Math.floor(Date.parse(after)) + 1) },
    });
  }
  if (before !== undefined) {
    conditions.push({
      sql: 'id < :createdBefore',
      values: { createdBefore: lowestIdAt(kind, Math.ceil(Date.parse(before))) },
    });
  }
  return conditions;
}
