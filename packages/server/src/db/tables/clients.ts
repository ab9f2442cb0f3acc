import type { ClientStatus } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const CLIENT_SLUG: UniqueIndex = { name: 'clients_slug', columns: ['tenant_id', 'slug'] };
/**
 * Production tenants share one namespace of domains (`domain_space` is empty), and each sandbox has its own (the id of its
 * tenant): anyone can create a sandbox, so its domains must not block those of others.
 */
export const CLIENT_DOMAIN: UniqueIndex = {
  name: 'clients_domain_space',
  columns: ['custom_domain', 'domain_space'],
};

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
