import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** Somebody who is signed in with one browser. */
export interface SessionRow {
  /** SHA-256 of the session's id, which only the browser has. */
  readonly session_hash: Buffer;
  readonly kind: 'admin' | 'developer';
  /** A user's id, or a developer's. */
  readonly account_id: string;
  /** The user's tenant; null for a developer. */
  readonly tenant_id: string | null;
  readonly created_at: number;
  /** Moves on while the session is used, up to its longest life. */
  readonly expires_at: number;
}

export function defineSession(sequelize: Sequelize): TableModel<SessionRow> {
  return defineTable<SessionRow>(sequelize, 'sessions', {
    session_hash: { type: DataTypes.BLOB, primaryKey: true },
    kind: DataTypes.STRING,
    account_id: DataTypes.STRING,
    tenant_id: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
  });
}
