import { type Route, route } from '../../http/route.ts';
import { auditEvent, auditEventList } from './audit.schemas.ts';
import { getAuditEvent, listAuditEvents } from './audit.service.ts';

export const auditRoutes: readonly Route[] = [
  route('audit.events.list', {
    query: auditEventList,
    response: auditEvent,
    handle: (ctx, { query }) => listAuditEvents(ctx, query),
  }),
  route('audit.events.get', {
    response: auditEvent,
    errors: ['AUDIT_EVENT_NOT_FOUND'],
    handle: (ctx, { path }) => getAuditEvent(ctx, path.audit_event_id),
  }),
];
