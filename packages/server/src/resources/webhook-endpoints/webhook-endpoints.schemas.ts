import {
  ALL_EVENT_TYPES,
  type Deleted,
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

const url = () => text(LIMITS.url.max);
const events = () => array(oneOf([...ALL_EVENT_TYPES, '*']), { min: 1, max: ALL_EVENT_TYPES.length + 1 });
const description = () => nullable(text(LIMITS.description.max));

const endpointFields: Fields<WebhookEndpoint> = {
  object: oneOf(['webhook_endpoint']),
  id: id('webhook_endpoint'),
  url: url(),
  description: description(),
  events: events(),
  status: oneOf(WEBHOOK_ENDPOINT_STATUSES),
  disabled_reason: nullable(string()),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const endpoint = object<WebhookEndpoint>(endpointFields);
export const endpointWithSecret = object<WebhookEndpointWithSecret>({ ...endpointFields, secret: string() });
export const deletedEndpoint = object<Deleted<'webhook_endpoint'>>({
  object: oneOf(['webhook_endpoint']),
  id: id('webhook_endpoint'),
  deleted: oneOf([true]),
});

export const endpointList = object<WebhookEndpointListParams>({
  ...listFields,
  status: optional(oneOf(WEBHOOK_ENDPOINT_STATUSES)),
});

export const endpointCreate = object<WebhookEndpointCreateParams>({
  url: url(),
  events: events(),
  description: optional(description()),
});

export const endpointUpdate = object<WebhookEndpointUpdateParams>({
  url: optional(url()),
  events: optional(events()),
  description: optional(description()),
  status: optional(oneOf(WEBHOOK_ENDPOINT_STATUSES)),
});

export const secretRotate = object<WebhookSecretRotateParams>({
  expires_in: optional(integer({ min: 0, max: LIMITS.webhook.secretOverlapSeconds })),
});
