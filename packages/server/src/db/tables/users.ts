import type { UserStatus } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const USER_EMAIL: UniqueIndex = { name: 'users_email', columns: ['tenant_id', 'email_hash'] };

/** A person of a tenant. */
export interface UserRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly email: string;
  /** SHA-256 of the canonical address: unique in the tenant, whatever the collation. */
  readonly email_hash: Buffer;
  readonly name: string | null;
  /** Name of a role. */
  readonly role: string;
  readonly status: UserStatus;
  readonly client_id: string | null;
  readonly location_id: string | null;
  readonly activated_at: number | null;
  readonly deactivated_at: number | null;
  /** Hash of the token in the last invitation sent, while the user is invited. */
  readonly invitation_hash: Buffer | null;
  readonly invitation_expires_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineUser(sequelize: Sequelize): TableModel<UserRow> {
  return defineTable<UserRow>(sequelize, 'users', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    email: DataTypes.STRING,
    email_hash: DataTypes.BLOB,
    name: DataTypes.STRING,
    role: DataTypes.STRING,
    status: DataTypes.STRING,
    client_id: DataTypes.STRING,
    location_id: DataTypes.STRING,
    activated_at: DataTypes.BIGINT,
    deactivated_at: DataTypes.BIGINT,
    invitation_hash: DataTypes.BLOB,
    invitation_expires_at: DataTypes.BIGINT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
