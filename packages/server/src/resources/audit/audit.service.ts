import type { AuditEvent, AuditEventListParams } from '@plat/contract';
import { AUDIT_VIEW, presentAuditEvent } from '../../accounts/present-audit-event.ts';
import type { ReadContext } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { createdBetween, presentPage, selectPage } from '../../db/page.ts';
import { AUDIT_EVENTS } from '../../db/tables/audit-events.ts';
import type { Page } from '../../http/route.ts';

export async function listAuditEvents(ctx: ReadContext, params: AuditEventListParams): Promise<Page<AuditEvent>> {
  const page = await selectPage(ctx.db, {
    table: AUDIT_EVENTS,
    columns: AUDIT_VIEW,
    kind: 'audit_event',
    tenantId: ctx.tenantId,
    params,
    filters: {
      ...{ action: params.action, actor_id: params.actor_id },
      ...{ target_id: params.target_id, session_id: params.session_id },
    },
    between: createdBetween('audit_event', params),
  });
  return presentPage(page, presentAuditEvent);
}

export async function getAuditEvent(ctx: ReadContext, id: string): Promise<AuditEvent> {
  const missing = 'AUDIT_EVENT_NOT_FOUND';
  return presentAuditEvent(
    await findById(ctx, { table: AUDIT_EVENTS, columns: AUDIT_VIEW, kind: 'audit_event', id, missing }),
  );
}
