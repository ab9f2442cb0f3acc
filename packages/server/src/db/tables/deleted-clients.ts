import { DataTypes, type Sequelize } from 'sequelize';
import { CLIENT_COLUMNS, type ClientRow } from './clients.ts';
import { defineTable, type TableModel } from './table.ts';

/** A client after its deletion, as it was. */
export interface DeletedClientRow extends ClientRow {
  readonly deleted_at: number;
}

export function defineDeletedClient(sequelize: Sequelize): TableModel<DeletedClientRow> {
  return defineTable<DeletedClientRow>(sequelize, 'deleted_clients', {
    ...CLIENT_COLUMNS,
    deleted_at: DataTypes.BIGINT,
  });
}
