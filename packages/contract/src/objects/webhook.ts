/** The values of a webhook endpoint's `status`. */
export const WEBHOOK_ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;

/** The values of a webhook delivery's `status`. */
export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'succeeded', 'retrying', 'failed'] as const;

/**
 * Reasons for a failed attempt: no valid response, a response that is not 2xx (`http_status`), or a missing target
 * (`endpoint_deleted`, `endpoint_disabled`, `event_deleted`).
 */
export const WEBHOOK_DELIVERY_ERROR_CLASSES = [
  'dns',
  'refused',
  'unreachable',
  'reset',
  'tls',
  'timeout',
  'protocol',
  'redirect',
  'blocked_address',
  'http_status',
  'endpoint_deleted',
  'endpoint_disabled',
  'event_deleted',
  'other',
] as const;

/**
 * Events of the time window that a replay sends to an endpoint again. `failed`: events whose last delivery to it
 * failed. `missed`: events without a delivery to it, because it was disabled, did not exist or was not subscribed.
 * `undelivered`: both.
 */
export const WEBHOOK_REPLAY_SELECTS = ['failed', 'missed', 'undelivered'] as const;

/** The values of a replay's `status`. */
export const WEBHOOK_REPLAY_STATUSES = ['pending', 'running', 'completed', 'canceled'] as const;
