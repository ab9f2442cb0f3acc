import type { EventType } from '../events.ts';
import type { ListParams } from './list.ts';

export const WEBHOOK_ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type WebhookEndpointStatus = (typeof WEBHOOK_ENDPOINT_STATUSES)[number];

/** Where a tenant wants its events. */
export interface WebhookEndpoint {
  readonly object: 'webhook_endpoint';
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  /** Event types, or `["*"]` for all of them, later ones included. */
  readonly events: readonly (EventType | '*')[];
  readonly status: WebhookEndpointStatus;
  readonly disabled_reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The endpoint with its signing secret: in the answer to a create and to a rotation, and nowhere else. */
export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  /** `whsec_…`; the whole string is the HMAC key. */
  readonly secret: string;
}

export interface WebhookEndpointCreateParams {
  readonly url: string;
  readonly events: readonly (EventType | '*')[];
  readonly description?: string | null;
}

export interface WebhookEndpointUpdateParams {
  readonly url?: string;
  readonly events?: readonly (EventType | '*')[];
  readonly description?: string | null;
  readonly status?: WebhookEndpointStatus;
}

export interface WebhookSecretRotateParams {
  /** Seconds that the old secret goes on signing beside the new one, 0 to 86,400; 0 when absent. */
  readonly expires_in?: number;
}

export interface WebhookEndpointListParams extends ListParams {
  readonly status?: WebhookEndpointStatus;
}

export interface EventListParams extends ListParams {
  readonly type?: EventType;
  /** ISO 8601; only events created after this instant. */
  readonly created_after?: string;
  /** ISO 8601; only events created before this instant. */
  readonly created_before?: string;
}

export interface EventReplayParams {
  /** Only to this endpoint; to every enabled one that wants the type when absent. */
  readonly endpoint_id?: string;
}

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'succeeded', 'retrying', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/**
 * Why an attempt failed: no answer that counts, one that does not say 2xx (`http_status`), or nowhere to send it any
 * more (`endpoint_deleted`, `endpoint_disabled`, `event_deleted`).
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
export type WebhookDeliveryErrorClass = (typeof WEBHOOK_DELIVERY_ERROR_CLASSES)[number];

/** One attempt to deliver an event to an endpoint; its id is that attempt's X-Platform-Delivery-Id. */
export interface WebhookDelivery {
  readonly object: 'webhook_delivery';
  readonly id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly endpoint_id: string;
  /** 1 to 7. */
  readonly attempt: number;
  /** `retrying`: this attempt failed and another one follows. `failed`: the seventh failed. */
  readonly status: WebhookDeliveryStatus;
  readonly response_status: number | null;
  /** The first KiB of the answer. */
  readonly response_body: string | null;
  /** What went wrong, when no HTTP answer counted. */
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly scheduled_at: string;
  readonly attempted_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface WebhookDeliveryListParams extends ListParams {
  readonly event_id?: string;
  readonly endpoint_id?: string;
  readonly status?: WebhookDeliveryStatus;
}
