import type { EventType } from '@plat/contract';
import { ascii, id, instant, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An event with its payload as committed. The id has the same time as `created`, so id order is event order. */
export const EVENTS = defineTable(
  'events',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    type: ascii<EventType>(64),
    created: instant(),
    /** The whole event object as JSON: the body of every delivery of it. */
    payload: longText(),
    /** W3C trace context of the change, which deliveries continue; null without a trace. */
    traceparent: nullable(ascii(55)),
  },
  [],
  {
    events_type: ['type'],
  },
);
export type EventRow = RowOf<typeof EVENTS>;
