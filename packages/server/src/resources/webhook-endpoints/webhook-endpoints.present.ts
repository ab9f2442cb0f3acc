import type { AnyEventType, EventType } from '@plat/contract';
import type { EndpointOf } from '../../accounts/owned-webhooks.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { missedSince } from '../../events/endpoints/missed-events.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';

/** Columns that the API does not present: the tenant is that of the credential, and secrets are shown once. */
export const HIDDEN = ['tenant_id', 'url_hash', 'secret', 'previous_secret', 'previous_secret_expires_at'] as const;
export type EndpointView = Omit<WebhookEndpointRow, (typeof HIDDEN)[number]>;

/**
 * Converts a row to the endpoint of the API. Missed events that `now`, in ms, places beyond the retention are not
 * counted.
 */
export function presentEndpoint<T extends AnyEventType = EventType>(row: EndpointView, now: number): EndpointOf<T> {
  return {
    object: 'webhook_endpoint',
    id: row.id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events) as EndpointOf<T>['events'],
    status: row.status,
    disabled_reason: row.disabled_reason,
    failing_since: isoTimeOrNull(row.failing_since),
    paused_until: isoTimeOrNull(row.paused_until),
    missed_since: isoTimeOrNull(missedSince(row, now)),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
