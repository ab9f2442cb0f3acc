import type { FindOptions, Model, ModelStatic, Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import type { Column } from './columns.ts';

/** Columns by their names, which are the same in the database and in code. */
export type Columns = Readonly<Record<string, Column>>;

/** A table as the migrations leave it: the one description of it in code. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  /** Unique indexes beside the primary key. */
  readonly uniqueIndexes: readonly UniqueIndex[];
  readonly listIndexes: ListIndexes;
}

/**
 * Indexes for filters of lists, by their names, with the columns before the id: once each has one value, the rows are in
 * the order of the list. Those that usually match the fewest rows come first.
 */
export type ListIndexes = Readonly<Record<string, readonly string[]>>;

/** A row as a SELECT of all columns returns it. */
export type RowOf<T extends Table> = Row<T['columns']>;

/** A row as an INSERT takes it: columns that are nullable or have a default may be left out. */
export type NewRowOf<T extends Table> = NewRow<T['columns']>;

/** The name of a column. */
export type ColumnOf<T extends Table> = keyof T['columns'] & string;

/** The Sequelize model of a table. Read with `raw: true`, which returns rows instead of instances. */
export type ModelOf<T extends Table> = ModelStatic<Model<RowOf<T>, NewRowOf<T>> & RowOf<T>>;

export type Row<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never;
};

type Optional<C extends Columns> = {
  [Name in keyof C]: C[Name] extends Column<unknown, true> ? Name : never;
}[keyof C];

type NewRow<C extends Columns> = Omit<Row<C>, Optional<C>> & Partial<Pick<Row<C>, Optional<C>>>;

export function defineTable<const C extends Columns>(
  name: string,
  columns: C,
  uniqueIndexes: readonly UniqueIndex[] = [],
  listIndexes: ListIndexes = {},
): Table<C> {
  return { name, columns, uniqueIndexes, listIndexes };
}

export function defineModel<T extends Table>(sequelize: Sequelize, { name, columns, uniqueIndexes }: T): ModelOf<T> {
  // Sequelize writes into the objects that it is given.
  const attributes = Object.fromEntries(Object.entries(columns).map(([column, options]) => [column, { ...options }]));
  const indexes = uniqueIndexes.map((index) => ({ name: index.name, unique: true, fields: [...index.columns] }));
  const hooks = { beforeFind: limitToOne };
  const model: unknown = sequelize.define(name, attributes, { tableName: name, timestamps: false, indexes, hooks });
  return model as ModelOf<T>;
}

/**
 * Limits `findOne` to one row. Sequelize omits the limit when the first column of the primary key has a value, although
 * that column may be the tenant of many rows.
 */
function limitToOne(options: FindOptions & { readonly plain?: boolean }): void {
  if (options.plain) options.limit ??= 1;
}

/** The primary key, which databases report like a unique index. */
export function primaryKeyOf({ columns }: Table): UniqueIndex {
  const parts = Object.entries(columns).filter(([, { primaryKey }]) => primaryKey);
  return { name: 'PRIMARY', columns: parts.map(([name]) => name) };
}
