import { type DataType, DataTypes } from 'sequelize';

/** A column of a table that holds values of one type. Sequelize takes it as an attribute of a model. */
export interface Column<Value = unknown, HasDefault extends boolean = boolean> {
  readonly type: DataType;
  readonly allowNull: boolean;
  readonly primaryKey?: boolean;
  readonly defaultValue?: string | number;
  /** Exists in types only, to infer rows: never read. */
  readonly valueType?: Value;
  /** Exists in types only: an insert may leave the column out. */
  readonly hasDefault?: HasDefault;
}

/** A required column. Its type is the one that the migrations give it (`migrations/columns.ts`). */
type RequiredColumn<Value> = Column<Value, false>;

/** The id of an object: 30 ASCII characters. */
export const id = <Value extends string = string>(): RequiredColumn<Value> => column(DataTypes.CHAR(30));

/** ASCII text, compared byte by byte: slugs, types, statuses. */
export const ascii = <Value extends string = string>(length: number): RequiredColumn<Value> =>
  column(DataTypes.STRING(length));

export const text = (length: number): RequiredColumn<string> => column(DataTypes.STRING(length));

export const longText = (): RequiredColumn<string> => column(DataTypes.TEXT);

/** A SHA-256 digest: 32 bytes. */
export const hash = (): RequiredColumn<Buffer> => column(DataTypes.BLOB);

/** At most 1024 bytes. */
export const bytes = (): RequiredColumn<Buffer> => column(DataTypes.BLOB);

export const longBytes = (): RequiredColumn<Buffer> => column(DataTypes.BLOB);

/** Milliseconds since the epoch. */
export const instant = (): RequiredColumn<number> => column(DataTypes.BIGINT);

/** A number beyond 32 bits. Values are safe integers. */
export const bigint = (): RequiredColumn<number> => column(DataTypes.BIGINT);

export const integer = <Value extends number = number>(): RequiredColumn<Value> => column(DataTypes.INTEGER);

/** Part of the primary key, whose columns come in the order of the table's. */
export const primaryKey = <C extends Column>(part: C): C => ({ ...part, primaryKey: true });

export const nullable = <Value>(required: RequiredColumn<Value>): Column<Value | null, true> => ({
  type: required.type,
  allowNull: true,
});

/** The database fills the column in when an insert leaves it out. */
export const withDefault = <Value extends string | number>(
  required: RequiredColumn<Value>,
  value: Value,
): Column<Value, true> => ({ type: required.type, allowNull: false, defaultValue: value });

function column<Value>(type: DataType): RequiredColumn<Value> {
  return { type, allowNull: false };
}
