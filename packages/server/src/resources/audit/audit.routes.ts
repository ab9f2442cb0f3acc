import { type Route, route } from '../../http/route.ts';
import { getAuditEvent, listAuditEvents } from './audit.service.ts';

export const auditRoutes: readonly Route[] = [
  route('audit.events.list', {
    handle: (ctx, { query }) => listAuditEvents(ctx, query),
  }),
  route('audit.events.get', {
    handle: (ctx, { path }) => getAuditEvent(ctx, path.audit_event_id),
  }),
];
