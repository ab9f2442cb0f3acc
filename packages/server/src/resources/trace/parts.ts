import { ID_PREFIXES, type IdKind, type Scope, TRACE_PARTS, type TracePart, type TraceWithheld } from '@plat/contract';
import { columnsExcept } from '../../db/statements.ts';
import type { EventRow } from '../../db/tables/events.ts';
import { WEBHOOK_DELIVERIES, type WebhookDeliveryRow } from '../../db/tables/webhook-deliveries.ts';

/** Returns true if the caller may read a part. */
export type May = (part: TracePart) => boolean;

const PARTS = Object.entries(TRACE_PARTS) as [TracePart, Scope][];

/** Returns the parts of these scopes. */
export function partsOf(scopes: readonly Scope[]): readonly TracePart[] {
  return PARTS.filter(([, scope]) => scopes.includes(scope)).map(([part]) => part);
}

/** Returns the parts that are not among these, with their scopes. */
export function withheldFrom(parts: readonly TracePart[]): readonly TraceWithheld[] {
  return PARTS.filter(([part]) => !parts.includes(part)).map(([part, scope]) => ({ part, scope }));
}

/** Columns of an event that a trace needs. */
export const EVENT_COLUMNS = ['id', 'created', 'payload', 'request_id', 'object_id'] as const;
export type EventView = Pick<EventRow, (typeof EVENT_COLUMNS)[number]>;

/** Columns of an attempt that a trace needs. */
export const ATTEMPT_COLUMNS = columnsExcept(WEBHOOK_DELIVERIES, ['tenant_id', 'queue_shard']);
export type AttemptRow = Pick<WebhookDeliveryRow, (typeof ATTEMPT_COLUMNS)[number]>;

/** Returns an id of a kind at the position of an id of any other kind: the parts after the prefix are in the order of time. */
export function idWithPrefixOf(kind: IdKind, id: string): string {
  return `${ID_PREFIXES[kind]}_${id.slice(4)}`;
}
