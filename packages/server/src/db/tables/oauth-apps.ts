import type { AppDisabler, AppVerification } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** An app that tenants can give access to, with its secret as a hash. */
export interface OAuthAppRow {
  readonly id: string;
  readonly developer_id: string;
  readonly name: string;
  readonly website: string | null;
  /** JSON array, compared byte for byte. */
  readonly redirect_uris: string;
  /** JSON array of scopes. */
  readonly scopes: string;
  readonly verification: AppVerification;
  /** What the review said. */
  readonly verification_note: string | null;
  /** Who disabled it; null while it works. */
  readonly disabled_by: AppDisabler | null;
  readonly secret_hash: Buffer;
  /** Of the secret before, which is taken too until `previous_secret_expires_at`. */
  readonly previous_secret_hash: Buffer | null;
  readonly previous_secret_expires_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineOAuthApp(sequelize: Sequelize): TableModel<OAuthAppRow> {
  return defineTable<OAuthAppRow>(sequelize, 'oauth_apps', {
    id: { type: DataTypes.STRING, primaryKey: true },
    developer_id: DataTypes.STRING,
    name: DataTypes.STRING,
    website: DataTypes.STRING,
    redirect_uris: DataTypes.TEXT,
    scopes: DataTypes.TEXT,
    verification: DataTypes.STRING,
    verification_note: DataTypes.STRING,
    disabled_by: DataTypes.STRING,
    secret_hash: DataTypes.BLOB,
    previous_secret_hash: DataTypes.BLOB,
    previous_secret_expires_at: DataTypes.BIGINT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
