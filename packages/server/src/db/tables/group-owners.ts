import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const GROUP_OWNER: UniqueIndex = { name: 'PRIMARY', columns: ['tenant_id', 'group_id', 'user_id'] };

/** A user who owns a group. Whether they have accepted is the status of the user. */
export interface GroupOwnerRow {
  readonly tenant_id: string;
  readonly group_id: string;
  readonly user_id: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineGroupOwner(sequelize: Sequelize): TableModel<GroupOwnerRow> {
  return defineTable<GroupOwnerRow>(sequelize, 'group_owners', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    group_id: { type: DataTypes.STRING, primaryKey: true },
    user_id: { type: DataTypes.STRING, primaryKey: true },
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
