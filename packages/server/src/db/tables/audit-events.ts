import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** What was changed, by whom. */
export interface AuditEventRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  /** JSON: field → [before, after]. */
  readonly changes: string | null;
  readonly request_id: string | null;
  readonly ip: string | null;
  readonly created_at: number;
}

export function defineAuditEvent(sequelize: Sequelize): TableModel<AuditEventRow> {
  return defineTable<AuditEventRow>(sequelize, 'audit_events', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    actor_type: DataTypes.STRING,
    actor_id: DataTypes.STRING,
    action: DataTypes.STRING,
    target_type: DataTypes.STRING,
    target_id: DataTypes.STRING,
    changes: DataTypes.TEXT,
    request_id: DataTypes.STRING,
    ip: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
  });
}
