import { ID_PREFIXES, type IdKind, type Scope, TRACE_PARTS, type TracePart, type TraceWithheld } from '@plat/contract';
import { columnsExcept } from '../../db/statements.ts';
import type { EventRow } from '../../db/tables/events.ts';
import { WEBHOOK_DELIVERIES, type WebhookDeliveryRow } from '../../db/tables/webhook-deliveries.ts';

/** Returns true if the caller may read a part. */
export type May = (part: TracePart) => boolean;

const PARTS = Object.entries(TRACE_PARTS) as [TracePart, Scope][];

export function partsFor(scopes: readonly Scope[]): { readonly may: May; readonly withheld: readonly TraceWithheld[] } {
  const withheld = PARTS.filter(([, scope]) => !scopes.includes(scope)).map(([part, scope]) => ({ part, scope }));
  return { may: (part) => scopes.includes(TRACE_PARTS[part]), withheld };
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
