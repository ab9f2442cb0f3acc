import type { WebhookEndpoint } from '@plat/contract';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import type { EndpointState } from '../../events/endpoints/endpoint-state.ts';
import { type Missed, missedSince } from '../../events/endpoints/missed-events.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';

/** The columns that the API knows of: never a secret. */
export type EndpointView = EndpointState &
  Missed &
  Pick<
    WebhookEndpointRow,
    'id' | 'url' | 'description' | 'events' | 'status' | 'disabled_reason' | 'created_at' | 'updated_at'
  >;

/** `now`, in ms, says which missed events are kept no longer. */
export function presentEndpoint(row: EndpointView, now: number): WebhookEndpoint {
  return {
    object: 'webhook_endpoint',
    id: row.id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events) as WebhookEndpoint['events'],
    status: row.status,
    disabled_reason: row.disabled_reason,
    failing_since: isoTimeOrNull(row.failing_since),
    paused_until: isoTimeOrNull(row.paused_until),
    missed_since: isoTimeOrNull(missedSince(row, now)),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
