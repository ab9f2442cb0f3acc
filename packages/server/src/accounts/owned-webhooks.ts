import type { AnyEventType, WebhookDelivery, WebhookEndpoint, WebhookReplay } from '@plat/contract';

/*
 * Webhook objects of an owner, a tenant or an app, by the event types that it has. `EndpointOf<EventType>` is the
 * `WebhookEndpoint` of the contract, `EndpointOf<AppEventType>` its `AppWebhookEndpoint`.
 */

export type EndpointOf<T extends AnyEventType> = Omit<WebhookEndpoint, 'events'> & Subscribed<T>;

export interface Subscribed<T extends AnyEventType> {
  readonly events: readonly (T | '*')[];
}

export type DeliveryOf<T extends AnyEventType> = Omit<WebhookDelivery, 'event_type'> & { readonly event_type: T };

export type ReplayOf<T extends AnyEventType> = Omit<WebhookReplay, 'event_types'> & {
  readonly event_types: readonly T[] | null;
};
