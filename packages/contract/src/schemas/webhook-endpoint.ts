import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES } from '../event-types.ts';
import { LIMITS } from '../limits.ts';
import { WEBHOOK_ENDPOINT_STATUSES } from '../objects/webhook.ts';
import { answer, changes, deleted, nullable, page, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { id, string, text, time } from './texts.ts';
import { always, array, integer, oneOf } from './values.ts';

const status = oneOf(
  'WebhookEndpointStatus',
  WEBHOOK_ENDPOINT_STATUSES,
  'Status of the endpoint. Deliveries are sent while it is `enabled`.',
);

const state = {
  disabled_reason: nullable(
    string(
      'Reason why the endpoint is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures. Null while it is enabled.',
    ),
    null,
  ),
  failing_since: nullable(
    time('Time of the first failed attempt since the last success; null if the last attempt succeeded.'),
    null,
  ),
  paused_until: nullable(
    time(
      'Time until which no deliveries are sent after many consecutive failures. One delivery is then tried. Null while deliveries are sent.',
    ),
    null,
  ),
  missed_since: nullable(
    time(
      'Time since which events were not sent because the endpoint was disabled. Null after these events are replayed or no longer stored.',
    ),
    null,
  ),
  ...times,
};

const ofTenants = endpointSchemas({
  prefix: '',
  receives: 'A URL that receives the events of a tenant.',
  type: 'EventType',
  types: ALL_EVENT_TYPES,
  example: ['client.created', 'client.updated'],
});
export const webhookEndpoint = ofTenants.endpoint;
export const webhookEndpointWithSecret = ofTenants.withSecret;
export const webhookEndpointCreate = ofTenants.create;
export const webhookEndpointUpdate = ofTenants.update;

const ofApps = endpointSchemas({
  prefix: 'App',
  receives: 'A URL that receives the events of an OAuth app.',
  type: 'AppEventType',
  types: ALL_APP_EVENT_TYPES,
  example: ['installation.authorized', 'installation.revoked'],
});
export const appWebhookEndpoint = ofApps.endpoint;
export const appWebhookEndpointWithSecret = ofApps.withSecret;
export const appWebhookEndpointCreate = ofApps.create;
export const appWebhookEndpointUpdate = ofApps.update;

export const deletedWebhookEndpoint = deleted('webhook_endpoint', 'webhook_endpoint');

export const webhookEndpointList = params(
  'WebhookEndpointListParams',
  'Filters and paging for the list of webhook endpoints.',
  {
    ...page,
    status: oneOf('WebhookEndpointStatus', WEBHOOK_ENDPOINT_STATUSES, 'Only endpoints with this status.'),
  },
);

export const webhookSecretRotate = params('WebhookSecretRotateParams', 'Options of the rotation.', {
  expires_in: integer(
    0,
    LIMITS.webhook.secretOverlapSeconds,
    'Seconds for which deliveries are also signed with the old secret; 0 when absent.',
    3600,
  ),
});

export const operations = {
  'webhooks.endpoints.list': {
    query: 'WebhookEndpointListParams',
    answer: 'WebhookEndpoint',
  },
  'webhooks.endpoints.create': {
    body: 'WebhookEndpointCreateParams',
    answer: 'WebhookEndpointWithSecret',
    errors: ['WEBHOOK_URL_IN_USE', 'WEBHOOK_ENDPOINT_LIMIT'],
    details: 'Store the signing `secret`.',
  },
  'webhooks.endpoints.get': {
    answer: 'WebhookEndpoint',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    details: 'The secret is not part of the response.',
  },
  'webhooks.endpoints.update': {
    body: 'WebhookEndpointUpdateParams',
    answer: 'WebhookEndpoint',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_URL_IN_USE'],
    details: '`status` disables and enables the endpoint.',
  },
  'webhooks.endpoints.delete': {
    answer: 'DeletedWebhookEndpoint',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    confirmation: { action: 'Delete webhook endpoint', consequence: 'Its pending deliveries are not sent.' },
  },
  'webhooks.endpoints.rotate_secret': {
    body: 'WebhookSecretRotateParams',
    answer: 'WebhookEndpointWithSecret',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    details: 'Deliveries are also signed with the old secret for `expires_in` seconds.',
    confirmation: {
      action: 'Rotate the signing secret of webhook endpoint',
      consequence:
        'Without `expires_in` the current secret stops signing at once, and receivers that still use it refuse deliveries.',
      asked: 'terminal',
    },
  },
} as const satisfies Operations;

/** An owner of endpoints, with the event types that it has. */
interface Owner {
  /** Begin of the titles. */
  readonly prefix: '' | 'App';
  readonly receives: string;
  readonly type: string;
  readonly types: readonly string[];
  readonly example: readonly string[];
}

/** Returns the schemas of the endpoints of tenants or apps, which differ in the event types. */
function endpointSchemas({ prefix, receives, type, types, example }: Owner) {
  const fields = {
    url: text(
      LIMITS.url.max,
      'URL that receives the deliveries: `https` or `http`, at a public address.',
      'https://example.com/webhooks',
    ),
    events: array(
      oneOf(`${type} | '*'`, [...types, '*'], 'An event type, or `*`.'),
      'Event types to send; `*` stands for all, including later ones.',
      { min: 1, max: types.length + 1, example },
    ),
    description: nullable(
      text(LIMITS.description.max, 'Description of the endpoint for people; null if it is not set.', 'Billing'),
    ),
  };
  const shown = { object: always('webhook_endpoint'), id: id('webhook_endpoint'), ...fields, status, ...state };
  const secret = string(
    'Secret that signs the deliveries. It is shown in this response only. The whole text is the HMAC key.',
    'whsec_…',
  );
  return {
    endpoint: answer(`${prefix}WebhookEndpoint`, receives, shown),
    withSecret: answer(`${prefix}WebhookEndpointWithSecret`, 'A webhook endpoint with its signing secret.', {
      ...shown,
      secret,
    }),
    create: params(`${prefix}WebhookEndpointCreateParams`, 'Fields of the webhook endpoint to create.', fields, [
      'url',
      'events',
    ]),
    update: changes(`${prefix}WebhookEndpointUpdateParams`, { ...fields, status }),
  };
}
