import type { WebhookEndpoint } from '@plat/contract';
import type { WebhookEndpointRow } from '../../db/models/webhook-endpoint.model.ts';
import { isoTime } from '../../kernel/clock.ts';

/** The columns that the API shows: never a secret. */
export type EndpointView = Pick<
  WebhookEndpointRow,
  'id' | 'url' | 'description' | 'events' | 'status' | 'disabled_reason' | 'created_at' | 'updated_at'
>;

export function presentEndpoint(row: EndpointView): WebhookEndpoint {
  return {
    object: 'webhook_endpoint',
    id: row.id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events) as WebhookEndpoint['events'],
    status: row.status,
    disabled_reason: row.disabled_reason,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
