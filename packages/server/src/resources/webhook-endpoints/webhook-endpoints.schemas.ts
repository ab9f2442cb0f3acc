import {
  ALL_EVENT_TYPES,
  LIMITS,
  WEBHOOK_ENDPOINT_STATUSES,
  type WebhookEndpoint,
  type WebhookEndpointCreateParams,
  type WebhookEndpointListParams,
  type WebhookEndpointUpdateParams,
  type WebhookEndpointWithSecret,
  type WebhookSecretRotateParams,
} from '@plat/contract';
import {
  array,
  deleted,
  describe,
  type Fields,
  id,
  integer,
  listFields,
  nullable,
  object,
  oneOf,
  optional,
  string,
  text,
  timestamp,
} from '../../http/rules.ts';

const fields = {
  url: describe(
    text(LIMITS.url.max),
    'Where deliveries are sent: `https`, or `http`, to a public address.',
    'https://example.com/webhooks',
  ),
  events: describe(
    array(oneOf([...ALL_EVENT_TYPES, '*']), { min: 1, max: ALL_EVENT_TYPES.length + 1 }),
    'The event types that are sent; `*` stands for all.',
    ['client.created', 'client.updated'],
  ),
  description: describe(nullable(text(LIMITS.description.max)), 'A note for people.', 'Billing'),
  status: describe(oneOf(WEBHOOK_ENDPOINT_STATUSES), 'Whether anything is sent to it.'),
};

const endpointFields: Fields<WebhookEndpoint> = {
  object: oneOf(['webhook_endpoint']),
  id: id('webhook_endpoint'),
  ...fields,
  disabled_reason: describe(
    nullable(string()),
    'Why it is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures; null while it is enabled.',
    null,
  ),
  failing_since: describe(
    nullable(timestamp()),
    'The first of the attempts that have all failed since; null when the last one succeeded.',
    null,
  ),
  paused_until: describe(
    nullable(timestamp()),
    'Until then nothing is sent, since it has failed often in a row; then one delivery is tried.',
    null,
  ),
  missed_since: describe(
    nullable(timestamp()),
    'Since when events were not sent because it was disabled; null when a replay has made up for it, or they are kept no longer.',
    null,
  ),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const endpoint = describe(
  object<WebhookEndpoint>('WebhookEndpoint', endpointFields),
  'An address that events are sent to.',
);
export const endpointWithSecret = describe(
  object<WebhookEndpointWithSecret>('WebhookEndpointWithSecret', {
    ...endpointFields,
    secret: describe(string(), 'Signs the deliveries; shown in this answer only.', 'whsec_…'),
  }),
  'A webhook endpoint with its signing secret.',
);
export const deletedEndpoint = deleted('webhook_endpoint', 'webhook_endpoint');

export const endpointList = object<WebhookEndpointListParams>({
  ...listFields,
  status: optional(describe(oneOf(WEBHOOK_ENDPOINT_STATUSES), 'Only endpoints of this status.')),
});

export const endpointCreate = describe(
  object<WebhookEndpointCreateParams>('WebhookEndpointCreate', {
    url: fields.url,
    events: fields.events,
    description: optional(fields.description),
  }),
  'A webhook endpoint to create.',
);

export const endpointUpdate = describe(
  object<WebhookEndpointUpdateParams>('WebhookEndpointUpdate', {
    url: optional(fields.url),
    events: optional(fields.events),
    description: optional(fields.description),
    status: optional(fields.status),
  }),
  'The fields to change; those that are absent stay as they are.',
);

export const secretRotate = describe(
  object<WebhookSecretRotateParams>('WebhookSecretRotate', {
    expires_in: optional(
      describe(
        integer({ min: 0, max: LIMITS.webhook.secretOverlapSeconds }),
        'Seconds that the old secret goes on signing beside the new one; 0 when absent.',
        3600,
      ),
    ),
  }),
  'How the old secret ends.',
);
