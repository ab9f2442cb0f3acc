import type { ColumnOf, Table } from './tables/table.ts';

/** Returns the names of a table's columns, in their order. */
export function columnsOf<T extends Table>({ columns }: T): readonly ColumnOf<T>[] {
  return Object.keys(columns) as ColumnOf<T>[];
}

/** Returns the names of a table's columns except for some. */
export function columnsExcept<T extends Table, const Excluded extends ColumnOf<T>>(
  table: T,
  excluded: readonly Excluded[],
): readonly Exclude<ColumnOf<T>, Excluded>[] {
  const names: ReadonlySet<string> = new Set(excluded);
  return columnsOf(table).filter((name): name is Exclude<ColumnOf<T>, Excluded> => !names.has(name));
}

/** Returns the INSERT of a row, with a named replacement for each column. */
export function insertInto<T extends Table>(
  table: T,
  columns: readonly ColumnOf<NoInfer<T>>[] = columnsOf(table),
): string {
  return `${insertColumns(table, columns)} VALUES (${columns.map((name) => `:${name}`).join(', ')})`;
}

/** Returns the INSERT of a number of rows, with a named replacement for each column of each row: `:name_0`, `:name_1`. */
export function insertMany<T extends Table>(table: T, columns: readonly ColumnOf<NoInfer<T>>[], count: number): string {
  const tuples = Array.from({ length: count }, (_, n) => `(${columns.map((name) => `:${name}_${n}`).join(', ')})`);
  return `${insertColumns(table, columns)} VALUES ${tuples.join(', ')}`;
}

/** Returns the beginning of an INSERT. The values follow. */
export function insertColumns<T extends Table>(table: T, columns: readonly ColumnOf<NoInfer<T>>[]): string {
  return `INSERT INTO ${table.name} (${columns.join(', ')})`;
}

/** Returns the beginning of an UPDATE, with a named replacement for each column: `UPDATE clients SET name = :name`. */
export function updateSet<T extends Table>(table: T, columns: readonly ColumnOf<NoInfer<T>>[]): string {
  return `UPDATE ${table.name} SET ${columns.map((name) => `${name} = :${name}`).join(', ')}`;
}

/** Returns the columns of a table that has an alias in its statement: `g.id, g.status`. */
export function qualified(alias: string, columns: readonly string[]): string {
  return columns.map((name) => `${alias}.${name}`).join(', ');
}
