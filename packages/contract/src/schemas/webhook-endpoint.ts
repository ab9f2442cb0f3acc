import { ALL_EVENT_TYPES } from '../event-types.ts';
import { LIMITS } from '../limits.ts';
import { WEBHOOK_ENDPOINT_STATUSES } from '../objects/webhook.ts';
import { answer, changes, deleted, nullable, page, params, times } from './objects.ts';
import { id, string, text, time } from './texts.ts';
import { always, array, integer, oneOf } from './values.ts';

const fields = {
  url: text(
    LIMITS.url.max,
    'URL that receives the deliveries: `https` or `http`, at a public address.',
    'https://example.com/webhooks',
  ),
  events: array(
    oneOf("EventType | '*'", [...ALL_EVENT_TYPES, '*'], 'An event type, or `*`.'),
    'Event types to send; `*` stands for all, including later ones.',
    { min: 1, max: ALL_EVENT_TYPES.length + 1, example: ['client.created', 'client.updated'] },
  ),
  description: nullable(text(LIMITS.description.max, 'A note for people.', 'Billing')),
};
const status = oneOf('WebhookEndpointStatus', WEBHOOK_ENDPOINT_STATUSES, 'Deliveries are sent while it is `enabled`.');

const endpointFields = {
  object: always('webhook_endpoint'),
  id: id('webhook_endpoint'),
  ...fields,
  status,
  disabled_reason: nullable(
    string(
      'Why it is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures; null while it is enabled.',
    ),
    null,
  ),
  failing_since: nullable(
    time('Time of the first attempt since which all have failed; null when the last one succeeded.'),
    null,
  ),
  paused_until: nullable(
    time('Nothing is sent until then, after many failures in a row; then one delivery is tried.'),
    null,
  ),
  missed_since: nullable(
    time(
      'Since when events were not sent because it was disabled; null after a replay of them, or when they are no longer kept.',
    ),
    null,
  ),
  ...times,
};

export const webhookEndpoint = answer('WebhookEndpoint', 'An address that events are sent to.', endpointFields);

export const webhookEndpointWithSecret = answer(
  'WebhookEndpointWithSecret',
  'A webhook endpoint with its signing secret.',
  {
    ...endpointFields,
    secret: string('Signs the deliveries; shown in this answer only. The whole text is the HMAC key.', 'whsec_…'),
  },
);

export const deletedWebhookEndpoint = deleted('webhook_endpoint', 'webhook_endpoint');

export const webhookEndpointList = params('WebhookEndpointListParams', 'Which webhook endpoints to list.', {
  ...page,
  status: oneOf('WebhookEndpointStatus', WEBHOOK_ENDPOINT_STATUSES, 'Only endpoints of this status.'),
});

export const webhookEndpointCreate = params('WebhookEndpointCreateParams', 'A webhook endpoint to create.', fields, [
  'url',
  'events',
]);

export const webhookEndpointUpdate = changes('WebhookEndpointUpdateParams', { ...fields, status });

export const webhookSecretRotate = params('WebhookSecretRotateParams', 'How the old secret ends.', {
  expires_in: integer(
    0,
    LIMITS.webhook.secretOverlapSeconds,
    'Seconds for which the old secret continues to sign beside the new one; 0 when absent.',
    3600,
  ),
});
