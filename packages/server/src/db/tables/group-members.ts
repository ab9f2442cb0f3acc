import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const GROUP_MEMBER: UniqueIndex = { name: 'PRIMARY', columns: ['tenant_id', 'group_id', 'client_id'] };

/** A client in a group. */
export interface GroupMemberRow {
  readonly tenant_id: string;
  readonly group_id: string;
  readonly client_id: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineGroupMember(sequelize: Sequelize): TableModel<GroupMemberRow> {
  return defineTable<GroupMemberRow>(sequelize, 'group_members', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    group_id: { type: DataTypes.STRING, primaryKey: true },
    client_id: { type: DataTypes.STRING, primaryKey: true },
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
