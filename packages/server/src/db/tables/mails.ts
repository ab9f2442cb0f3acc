import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A mail that waits to be sent, or the record that it was. */
export interface MailRow {
  readonly id: string;
  /** null: about no tenant. */
  readonly tenant_id: string | null;
  /** What it is about, for example `user_invitation`. */
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  /** The text, sealed: it may hold a one-time link. null once it is sent or given up. */
  readonly body: Buffer | null;
  readonly status: 'queued' | 'sent' | 'failed';
  /** Grows with every claim: the fence of what a claim's outcome may change. */
  readonly attempts: number;
  /** From when on it may be claimed, by the clock of the database: while it is claimed, the end of the lease. */
  readonly due_at: number;
  /** From then on it is of no use to its reader. */
  readonly expires_at: number | null;
  readonly error: string | null;
  readonly sent_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineMail(sequelize: Sequelize): TableModel<MailRow> {
  return defineTable<MailRow>(sequelize, 'mails', {
    id: { type: DataTypes.STRING, primaryKey: true },
    tenant_id: DataTypes.STRING,
    kind: DataTypes.STRING,
    recipient: DataTypes.STRING,
    subject: DataTypes.STRING,
    body: DataTypes.BLOB,
    status: DataTypes.STRING,
    attempts: DataTypes.INTEGER,
    due_at: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
    error: DataTypes.STRING,
    sent_at: DataTypes.BIGINT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
