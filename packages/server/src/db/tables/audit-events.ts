import { ascii, id, instant, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A recorded change: actor, action and target. */
export const AUDIT_EVENTS = defineTable(
  'audit_events',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    actor_type: ascii(16),
    actor_id: nullable(id()),
    action: ascii(64),
    target_type: ascii(32),
    target_id: id(),
    /** JSON: field → `{before, after}`. */
    changes: nullable(longText()),
    request_id: nullable(id()),
    /** The sign-in of the person: a session, or a token of the developer API. */
    session_id: nullable(id()),
    ip: nullable(ascii(45)),
    created_at: instant(),
  },
  [],
  {
    audit_events_request: ['request_id'],
    audit_events_session: ['session_id'],
    audit_events_target: ['target_id'],
    audit_events_actor_action: ['actor_id', 'action'],
    audit_events_actor: ['actor_id'],
    audit_events_action: ['action'],
  },
);
export type AuditEventRow = RowOf<typeof AUDIT_EVENTS>;
