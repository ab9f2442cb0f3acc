import type { ReadContext } from '../../context.ts';
import { selectOne, selectText, unionAll, usingIndex } from '../../db/sql.ts';
import type { ColumnOf, RowOf, Table } from '../../db/tables/table.ts';

interface Ranges<T extends Table, Name extends ColumnOf<T>> {
  readonly table: T;
  readonly columns: readonly Name[];
  /** Index of (tenant, column, id); null to look ids up in the primary key. */
  readonly index: string | null;
  readonly column: ColumnOf<NoInfer<T>>;
  /** Values of the column: one range for each. */
  readonly values: readonly string[];
  /** Maximum number of rows of each range, the newest ones. */
  readonly each: number;
  /** Only ids below this one. */
  readonly below?: string | null;
}

/** Maximum number of ranges in a statement. SQLite accepts 500. */
const MAX_RANGES = 100;

/** Returns the newest rows of a tenant for each value of a column, by one short range of an index each. */
export async function newestOfEach<T extends Table, Name extends ColumnOf<T>>(
  ctx: ReadContext,
  { values, ...ranges }: Ranges<T, Name>,
): Promise<Pick<RowOf<T>, Name>[]> {
  const different = [...new Set(values)];
  const found: Pick<RowOf<T>, Name>[] = [];
  for (let start = 0; start < different.length; start += MAX_RANGES) {
    found.push(...(await select(ctx, { ...ranges, values: different.slice(start, start + MAX_RANGES) })));
  }
  return found;
}

/** Returns true if the tenant has a row with this id. */
export async function hasRow({ db, tenantId }: ReadContext, { name }: Table, id: string): Promise<boolean> {
  const sql = `SELECT id FROM ${name} WHERE tenant_id = :tenantId AND id = :id`;
  return (await selectOne(db, sql, { tenantId, id })) !== undefined;
}

function select<T extends Table, Name extends ColumnOf<T>>(
  { db, tenantId }: ReadContext,
  { table, columns, index, column, values, each, below = null }: Ranges<T, Name>,
): Promise<Pick<RowOf<T>, Name>[]> {
  const source = `${table.name} ${index === null ? '' : usingIndex(db, index)}`;
  const older = below === null ? '' : ' AND id < :below';
  const ranges = values.map(
    (_, position) => `SELECT ${columns.join(', ')} FROM ${source}
     WHERE tenant_id = :tenantId AND ${column} = :value${position}${older} ORDER BY id DESC LIMIT ${each}`,
  );
  const given = Object.fromEntries(values.map((value, position) => [`value${position}`, value]));
  return selectText(db, unionAll(db, ranges), { tenantId, below, ...given });
}
