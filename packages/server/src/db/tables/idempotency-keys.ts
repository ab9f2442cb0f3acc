import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** The first request with an Idempotency-Key, and its answer once there is one. */
export interface IdempotencyKeyRow {
  readonly credential_id: string;
  /** SHA-256 of the Idempotency-Key. */
  readonly key_hash: Buffer;
  readonly request_hash: Buffer;
  /** The request that holds the key; another one takes over when its lock has run out. */
  readonly attempt: string;
  readonly locked_until: number;
  readonly status: number | null;
  /** The body, sealed: it may hold a secret that is shown once. */
  readonly answer: Buffer | null;
  readonly created_at: number;
  readonly expires_at: number;
}

export function defineIdempotencyKey(sequelize: Sequelize): TableModel<IdempotencyKeyRow> {
  return defineTable<IdempotencyKeyRow>(sequelize, 'idempotency_keys', {
    credential_id: { type: DataTypes.STRING, primaryKey: true },
    key_hash: { type: DataTypes.BLOB, primaryKey: true },
    request_hash: DataTypes.BLOB,
    attempt: DataTypes.STRING,
    locked_until: DataTypes.BIGINT,
    status: DataTypes.INTEGER,
    answer: DataTypes.BLOB,
    created_at: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
  });
}
