import type { AuditActorType, AuditEvent, AuditEventListParams } from '@plat/contract';
import type { Context } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { createdBetween, presentPage, selectPage } from '../../db/page.ts';
import { columnsExcept } from '../../db/statements.ts';
import { AUDIT_EVENTS, type AuditEventRow } from '../../db/tables/audit-events.ts';
import type { Page } from '../../http/route.ts';
import { isoTime } from '../../kernel/clock.ts';

const VIEW = columnsExcept(AUDIT_EVENTS, ['tenant_id']);
type AuditView = Pick<AuditEventRow, (typeof VIEW)[number]>;

export async function listAuditEvents(ctx: Context, params: AuditEventListParams): Promise<Page<AuditEvent>> {
  const page = await selectPage(ctx.db, {
    table: AUDIT_EVENTS,
    columns: VIEW,
    kind: 'audit_event',
    tenantId: ctx.tenantId,
    params,
    filters: { action: params.action, actor_id: params.actor_id, target_id: params.target_id },
    between: createdBetween('audit_event', params),
  });
  return presentPage(page, presentAuditEvent);
}

export async function getAuditEvent(ctx: Context, id: string): Promise<AuditEvent> {
  const missing = 'AUDIT_EVENT_NOT_FOUND';
  return presentAuditEvent(
    await findById(ctx, { table: AUDIT_EVENTS, columns: VIEW, kind: 'audit_event', id, missing }),
  );
}

function presentAuditEvent(row: AuditView): AuditEvent {
  return {
    object: 'audit_event',
    id: row.id,
    actor: { type: row.actor_type as AuditActorType, id: row.actor_id },
    action: row.action,
    target: { type: row.target_type, id: row.target_id },
    changes: row.changes === null ? null : (JSON.parse(row.changes) as AuditEvent['changes']),
    request_id: row.request_id,
    ip: row.ip,
    created_at: isoTime(row.created_at),
  };
}
