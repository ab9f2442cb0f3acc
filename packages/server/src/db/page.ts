import { type IdKind, isId, LIMITS, type ListParams } from '@plat/contract';
import { firstMsFrom } from '@plat/contract/schemas';
import { ApiError } from '../kernel/api-error.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import type { Database } from './database.ts';
import { PRIMARY, type SqlValues, select, usingIndex } from './sql.ts';
import { columnsOf } from './statements.ts';
import type { ColumnOf, RowOf, Table } from './tables/table.ts';

/**
 * Maximum number of rows that a page examines. A page that no index can serve ends there, with a cursor at which the list
 * continues (decision 041).
 */
const EXAMINED_ROWS = 500;

interface PageOf<T extends Table, Name extends ColumnOf<T>> extends PageOptions {
  readonly table: T;
  /** All columns when absent. */
  readonly columns?: readonly Name[];
}

interface JoinedPageOf extends PageOptions {
  /** Table whose indexes serve the filters; absent for a list without filters. */
  readonly table?: Table;
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
  /** Columns with the value that they must have. Absent values are no filters. */
  readonly filters?: Readonly<Record<string, string | Buffer | undefined>>;
  /** Bounds of the id. */
  readonly between?: readonly Condition[];
  /** Further conditions, which no index serves. */
  readonly where?: readonly Condition[];
}

/** A condition of a list with the values of its replacements. */
export interface Condition {
  readonly sql: string;
  readonly values: SqlValues;
}

interface PageRows<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** Cursor at which the list continues; absent if the first or last row is it. */
  readonly nextCursor?: string;
}

/** A page as objects of the API. */
interface PresentedPage<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

/** Presents the rows of a page. */
export function presentPage<Row, Item>(
  { rows, ...rest }: PageRows<Row>,
  present: (row: Row) => Item,
): PresentedPage<Item> {
  return { data: rows.map(present), ...rest };
}

/**
 * Returns one page of a tenant's rows, newest first. Reads one range of one index, at any depth. The row of the cursor
 * may be deleted.
 * @throws {@link ApiError} INVALID_CURSOR, INVALID_REQUEST
 */
export function selectPage<T extends Table, Name extends ColumnOf<T> = ColumnOf<T>>(
  db: Database,
  { table, columns, ...page }: PageOf<T, Name>,
): Promise<PageRows<Pick<RowOf<T>, Name>>> {
  return selectJoinedPage(db, { table, from: table.name, columns: columns ?? columnsOf(table), ...page });
}

/**
 * {@link selectPage} of a join. The caller names the type of the rows.
 * @throws {@link ApiError} INVALID_CURSOR, INVALID_REQUEST
 */
export async function selectJoinedPage<Row extends object>(db: Database, page: JoinedPageOf): Promise<PageRows<Row>> {
  const { from, columns, kind, idColumn = 'id', tenantId, params, where = [] } = page;
  requireCursors(kind, params);
  const { limit = LIMITS.page.default, starting_after: after, ending_before: before } = params;
  const backwards = before !== undefined;
  const order = `ORDER BY ${idColumn} ${backwards ? 'ASC' : 'DESC'}`;
  const { index, served, left, single } = chooseIndex(page);
  const source = `FROM ${from} ${index === undefined ? '' : usingIndex(db, index)}`;
  const range: Condition[] = [
    ...(tenantId === null ? [] : [{ sql: 'tenant_id = :tenantId', values: { tenantId } }]),
    ...served,
    ...(page.between ?? []),
    ...(after === undefined ? [] : [{ sql: `${idColumn} < :cursor`, values: { cursor: after } }]),
    ...(before === undefined ? [] : [{ sql: `${idColumn} > :cursor`, values: { cursor: before } }]),
  ];
  // The sign keeps SQLite from another index, which would have to be sorted.
  const further = [...left.map((c) => ({ ...c, sql: db.kind === 'sqlite' ? `+${c.sql}` : c.sql })), ...where];

  let end: string | undefined;
  if (further.length > 0 && !single) {
    const [last] = await select<{ readonly id: string }>(
      db,
      `SELECT ${idColumn} AS id ${source} ${conjunction(range)} ${order} LIMIT 1 OFFSET ${EXAMINED_ROWS - 1}`,
      valuesOf(range),
    );
    end = last?.id;
  }
  if (end !== undefined) range.push({ sql: `${idColumn} ${backwards ? '<=' : '>='} :end`, values: { end } });
  const conditions = [...range, ...further];
  const rows = await select<Row>(
    db,
    `SELECT ${columns.join(', ')} ${source} ${conjunction(conditions)} ${order} LIMIT ${limit + 1}`,
    valuesOf(conditions),
  );
  const isFull = rows.length > limit;
  if (isFull) rows.length = limit;
  if (backwards) rows.reverse();
  if (isFull || end === undefined) return { rows, hasMore: isFull };
  return { rows, hasMore: true, nextCursor: end };
}

interface ChosenIndex {
  readonly index: string | undefined;
  /** Filters that are a prefix of the index. */
  readonly served: readonly Condition[];
  readonly left: readonly Condition[];
  /** True if at most one row matches the filters of the index. */
  readonly single: boolean;
}

/**
 * Chooses the index of a page. It is forced: MariaDB sometimes reads the primary key until enough rows match, which can
 * be all rows of the tenant.
 */
function chooseIndex({ table, tenantId, filters = {} }: JoinedPageOf): ChosenIndex {
  const given = Object.entries(filters).flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, sql: `${column} = :${column}`, values: { [column]: value } }],
  );
  if (!table) return { index: undefined, served: [], left: given, single: false };
  const isServed = (columns: readonly string[]) =>
    columns.every((name) => (name === 'tenant_id' && tenantId !== null) || given.some(({ column }) => column === name));
  const unique = table.uniqueIndexes.find(({ columns }) => given.length > 0 && isServed(columns));
  const listed = Object.entries(table.listIndexes).find(([, columns]) => isServed(columns));
  const [index, columns] = unique ? [unique.name, unique.columns] : (listed ?? [PRIMARY, []]);
  return {
    index,
    served: given.filter(({ column }) => columns.includes(column)),
    left: given.filter(({ column }) => !columns.includes(column)),
    single: unique !== undefined,
  };
}

function conjunction(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
}

function valuesOf(conditions: readonly Condition[]): SqlValues {
  return Object.assign({}, ...conditions.map(({ values }) => values));
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
      values: { createdAfter: lowestIdAt(kind, Date.parse(after) + 1) },
    });
  }
  if (before !== undefined) {
    conditions.push({
      sql: 'id < :createdBefore',
      values: { createdBefore: lowestIdAt(kind, firstMsFrom(before)) },
    });
  }
  return conditions;
}
