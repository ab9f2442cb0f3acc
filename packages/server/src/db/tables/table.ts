import type { Model, ModelAttributes, ModelStatic, Sequelize } from 'sequelize';

/** The model of a table whose columns are the keys of `Row`; instances are never used as business objects. */
export type TableModel<Row extends object> = ModelStatic<Model<Row, Row>>;

/** Instants are BIGINT milliseconds and names are the column names, the same in every database. */
export function defineTable<Row extends object>(
  sequelize: Sequelize,
  tableName: string,
  attributes: ModelAttributes<Model<Row, Row>, Row>,
): TableModel<Row> {
  return sequelize.define<Model<Row, Row>, Row>(tableName, attributes, { tableName, timestamps: false });
}
