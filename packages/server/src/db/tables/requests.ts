import type { ErrorCode, LoggedCredential, RequestOutcome } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A request in the log. */
export interface RequestRow {
  /** `-` where no credential told of one. */
  readonly tenant_id: string;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string | null;
  readonly operation: string | null;
  readonly outcome: RequestOutcome;
  readonly status: number | null;
  readonly code: ErrorCode | null;
  /** JSON: what the refusal said beside its code. */
  readonly refusal: string | null;
  readonly credential_type: LoggedCredential['type'] | null;
  readonly credential_id: string | null;
  readonly app_id: string | null;
  readonly idempotency_key: string | null;
  readonly idempotent_replayed: 0 | 1;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly duration_us: number;
  readonly created_at: number;
}

export function defineRequest(sequelize: Sequelize): TableModel<RequestRow> {
  return defineTable<RequestRow>(sequelize, 'requests', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    method: DataTypes.STRING,
    path: DataTypes.TEXT,
    query: DataTypes.TEXT,
    operation: DataTypes.STRING,
    outcome: DataTypes.STRING,
    status: DataTypes.INTEGER,
    code: DataTypes.STRING,
    refusal: DataTypes.TEXT,
    credential_type: DataTypes.STRING,
    credential_id: DataTypes.STRING,
    app_id: DataTypes.STRING,
    idempotency_key: DataTypes.TEXT,
    idempotent_replayed: DataTypes.INTEGER,
    ip: DataTypes.STRING,
    user_agent: DataTypes.TEXT,
    duration_us: DataTypes.BIGINT,
    created_at: DataTypes.BIGINT,
  });
}
