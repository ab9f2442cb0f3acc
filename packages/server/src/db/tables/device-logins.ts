import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const DEVICE_USER_CODE: UniqueIndex = { name: 'device_logins_user', columns: ['user_hash'] };

/** A command line that waits for a developer's approval, or got its token (RFC 8628). */
export interface DeviceLoginRow {
  /** SHA-256 of the device code, which the command line keeps. */
  readonly device_hash: Buffer;
  /** SHA-256 of the user code, which the developer compares. */
  readonly user_hash: Buffer;
  readonly client_name: string;
  readonly ip: string | null;
  readonly status: 'pending' | 'approved' | 'denied' | 'used';
  /** Who answered; null while nobody has. */
  readonly developer_id: string | null;
  /** The token that it was exchanged for. */
  readonly token_id: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

export function defineDeviceLogin(sequelize: Sequelize): TableModel<DeviceLoginRow> {
  return defineTable<DeviceLoginRow>(sequelize, 'device_logins', {
    device_hash: { type: DataTypes.BLOB, primaryKey: true },
    user_hash: DataTypes.BLOB,
    client_name: DataTypes.STRING,
    ip: DataTypes.STRING,
    status: DataTypes.STRING,
    developer_id: DataTypes.STRING,
    token_id: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
  });
}
