import type { AnyEventType, EventType } from '@plat/contract';
import type { WebhookReplayRow } from '../db/tables/webhook-replays.ts';
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts';
import type { ReplayOf } from './owned-webhooks.ts';

/** Columns that the API does not present: the progress of the job. */
export const HIDDEN = ['tenant_id', 'walks', 'turn', 'due_at'] as const;
export type ReplayView = Omit<WebhookReplayRow, (typeof HIDDEN)[number]>;

export function presentReplay<T extends AnyEventType = EventType>(row: ReplayView): ReplayOf<T> {
  return {
    object: 'webhook_replay',
    id: row.id,
    endpoint_id: row.endpoint_id,
    select: row.selection,
    since: isoTime(row.since_at),
    until: isoTime(row.until_at),
    event_types: row.event_types === null ? null : (JSON.parse(row.event_types) as T[]),
    status: row.status,
    examined_count: row.examined_count,
    scheduled_count: row.scheduled_count,
    total_count: row.total_count,
    completed_at: isoTimeOrNull(row.completed_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
