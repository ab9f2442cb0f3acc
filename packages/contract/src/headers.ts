/**
 * Product token in the `User-Agent` of `plat listen`, which polls the events of a tenant for hours. The request log
 * omits its successful polls.
 */
export const LISTENER_USER_AGENT = 'plat-listen';

/** Header names of the API, in lower case as Node provides them. */
export const HEADERS = {
  requestId: 'x-request-id',
  rateLimit: 'x-ratelimit-limit',
  rateRemaining: 'x-ratelimit-remaining',
  rateReset: 'x-ratelimit-reset',
  idempotencyKey: 'idempotency-key',
  idempotentReplayed: 'idempotent-replayed',
  deprecation: 'deprecation',
  sunset: 'sunset',
  link: 'link',
  eventType: 'x-platform-event',
  eventId: 'x-platform-event-id',
  signature: 'x-platform-signature',
  deliveryId: 'x-platform-delivery-id',
} as const;
