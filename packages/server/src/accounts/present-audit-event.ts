import type { AuditActorType, AuditEvent } from '@plat/contract';
import { columnsExcept } from '../db/statements.ts';
import { AUDIT_EVENTS, type AuditEventRow } from '../db/tables/audit-events.ts';
import { isoTime } from '../kernel/clock.ts';

/** Columns that the API presents. */
export const AUDIT_VIEW = columnsExcept(AUDIT_EVENTS, ['tenant_id']);
export type AuditView = Pick<AuditEventRow, (typeof AUDIT_VIEW)[number]>;

export function presentAuditEvent(row: AuditView): AuditEvent {
  return {
    object: 'audit_event',
    id: row.id,
    actor: { type: row.actor_type as AuditActorType, id: row.actor_id },
    action: row.action,
    target: { type: row.target_type, id: row.target_id },
    changes: row.changes === null ? null : (JSON.parse(row.changes) as AuditEvent['changes']),
    request_id: row.request_id,
    session_id: row.session_id,
    ip: row.ip,
    created_at: isoTime(row.created_at),
  };
}
