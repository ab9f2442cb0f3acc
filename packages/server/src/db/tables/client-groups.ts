import type { MembershipPolicy } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const GROUP_SLUG: UniqueIndex = { name: 'client_groups_slug', columns: ['tenant_id', 'slug'] };

/** A group of clients. (`groups` is a reserved word in MySQL.) */
export interface GroupRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly membership_policy: MembershipPolicy;
  /** Kept with each member that comes or goes, under the lock of this row. */
  readonly member_count: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineGroup(sequelize: Sequelize): TableModel<GroupRow> {
  return defineTable<GroupRow>(sequelize, 'client_groups', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    name: DataTypes.STRING,
    slug: DataTypes.STRING,
    membership_policy: DataTypes.STRING,
    member_count: DataTypes.INTEGER,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
