import type { ClientStatus } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const CLIENT_SLUG: UniqueIndex = { name: 'clients_slug', columns: ['tenant_id', 'slug'] };
export const CLIENT_DOMAIN: UniqueIndex = { name: 'clients_domain', columns: ['custom_domain'] };

/** A client. A deleted one moves to deleted_clients, which frees its slug and domain. */
export interface ClientRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly name: string;
  readonly status: ClientStatus;
  readonly slug: string;
  readonly custom_domain: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The columns that a client keeps when it is deleted. */
export const CLIENT_COLUMNS = {
  tenant_id: { type: DataTypes.STRING, primaryKey: true },
  id: { type: DataTypes.STRING, primaryKey: true },
  name: DataTypes.STRING,
  status: DataTypes.STRING,
  slug: DataTypes.STRING,
  custom_domain: DataTypes.STRING,
  created_at: DataTypes.BIGINT,
  updated_at: DataTypes.BIGINT,
};

export function defineClient(sequelize: Sequelize): TableModel<ClientRow> {
  return defineTable<ClientRow>(sequelize, 'clients', CLIENT_COLUMNS);
}
