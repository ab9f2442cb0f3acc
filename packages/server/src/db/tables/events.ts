import type { AnyEventType } from '@plat/contract';
import { ascii, id, instant, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An event with its payload as committed. The id has the same time as `created`, so id order is event order. */
export const EVENTS = defineTable(
  'events',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    type: ascii<AnyEventType>(64),
    created: instant(),
    /** The whole event object as JSON: the body of every delivery of it. */
    payload: longText(),
    /** W3C trace context of the change, which deliveries continue; null without a trace. */
    traceparent: nullable(ascii(55)),
    /** The request that made the change; null for the operator and the system, and before migration 0039. */
    request_id: nullable(id()),
    /** The changed object, which the audit trail names too; null before migration 0039. */
    object_id: nullable(id()),
  },
  [],
  {
    events_object: ['object_id'],
    events_request: ['request_id'],
    events_type: ['type'],
  },
);
export type EventRow = RowOf<typeof EVENTS>;
