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
  /** `disabled by request`, or why it was disabled by the service: `gone: …`, `failing: …`. */
  readonly disabled_reason: string | null;
  /** The first of the attempts that have all failed since; null when the last one succeeded. */
  readonly failing_since: string | null;
  /** Until then nothing is sent, since it has failed often in a row; then one delivery is tried. */
  readonly paused_until: string | null;
  /** Since when events were not sent because it was disabled, as long as they are kept and no replay has made up for it. */
  readonly missed_since: string | null;
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

/** Where the time of an attempt went, in milliseconds. Null: a phase that did not come to its end, or was not needed. */
export interface WebhookDeliveryTimings {
  /** To resolve the host name. Null, like the next two, where an open connection was used again. */
  readonly dns_ms: number | null;
  /** To open the connection. */
  readonly connect_ms: number | null;
  /** For the TLS handshake. */
  readonly tls_ms: number | null;
  /** From the sending of the request to the first byte of the answer: what the receiver took. */
  readonly first_byte_ms: number | null;
  /** The whole attempt. */
  readonly total_ms: number;
}

/** A header of an answer, as it came. */
export interface WebhookResponseHeader {
  readonly name: string;
  readonly value: string;
}

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
  /** The first KiB of the answer's headers, in their order. Text from outside: escape it where you show it. */
  readonly response_headers: readonly WebhookResponseHeader[] | null;
  /** The first KiB of the answer's body. Text from outside: escape it where you show it. */
  readonly response_body: string | null;
  /** Why it failed; null when it did not. */
  readonly error_class: WebhookDeliveryErrorClass | null;
  /** The same in words, when no HTTP answer counted. */
  readonly error: string | null;
  /** The IP address it was sent to; null when no connection came about. */
  readonly remote_address: string | null;
  readonly duration_ms: number | null;
  /** Null when nothing was sent. */
  readonly timings: WebhookDeliveryTimings | null;
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

export const WEBHOOK_REPLAY_SELECTS = ['failed', 'missed', 'undelivered'] as const;
/**
 * Which events of its window a replay sends to an endpoint again. `failed`: whose last delivery to it failed. `missed`: that
 * have no delivery to it, because it was disabled, did not exist or did not want them. `undelivered`: both.
 */
export type WebhookReplaySelect = (typeof WEBHOOK_REPLAY_SELECTS)[number];

export const WEBHOOK_REPLAY_STATUSES = ['pending', 'running', 'completed', 'canceled'] as const;
export type WebhookReplayStatus = (typeof WEBHOOK_REPLAY_STATUSES)[number];

/** A job that sends many events again, each from attempt 1 with its own id. It goes on whatever process ends. */
export interface WebhookReplay {
  readonly object: 'webhook_replay';
  readonly id: string;
  /** Only to this endpoint; null: to every endpoint that was enabled when the replay was created. */
  readonly endpoint_id: string | null;
  readonly select: WebhookReplaySelect;
  /** The window: events created at or after `since` and before `until`. */
  readonly since: string;
  readonly until: string;
  /** Only events of these types; null: of all that the endpoint wants. */
  readonly event_types: readonly EventType[] | null;
  readonly status: WebhookReplayStatus;
  /** Events of the window that were looked at, for the endpoint that is furthest behind. */
  readonly examined_count: number;
  /** Deliveries that were scheduled. */
  readonly scheduled_count: number;
  /** Events in the window; null until they were counted. */
  readonly total_count: number | null;
  readonly completed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface WebhookReplayCreateParams {
  /** ISO 8601, in the past. */
  readonly since: string;
  /** ISO 8601, after `since`; now when absent or later than now. */
  readonly until?: string;
  /** Only to this endpoint; to every enabled one when absent. */
  readonly endpoint_id?: string;
  /** Only events of these types; of all that the endpoint wants when absent. */
  readonly event_types?: readonly EventType[];
  /** `undelivered` when absent. */
  readonly select?: WebhookReplaySelect;
}

export interface WebhookReplayListParams extends ListParams {
  readonly status?: WebhookReplayStatus;
  readonly endpoint_id?: string;
}
