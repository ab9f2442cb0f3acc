import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const DEVELOPER_EMAIL: UniqueIndex = { name: 'developers_email', columns: ['email_hash'] };

/** Somebody who builds on the platform, with the one sandbox tenant that is theirs. */
export interface DeveloperRow {
  readonly id: string;
  readonly email: string;
  readonly email_hash: Buffer;
  readonly tenant_id: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineDeveloper(sequelize: Sequelize): TableModel<DeveloperRow> {
  return defineTable<DeveloperRow>(sequelize, 'developers', {
    id: { type: DataTypes.STRING, primaryKey: true },
    email: DataTypes.STRING,
    email_hash: DataTypes.BLOB,
    tenant_id: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
