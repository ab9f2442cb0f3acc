import type { OperationName } from '@plat/contract';
import type { Engine } from '../call/engine.ts';
import { CLIENT_OPERATIONS, type Clients, clientsResource } from './clients.ts';
import { ME_OPERATIONS, type MeResource, meResource } from './me.ts';
import {
  WEBHOOK_DELIVERY_OPERATIONS,
  type WebhookDeliveries,
  webhookDeliveriesResource,
} from './webhook-deliveries.ts';
import { WEBHOOK_ENDPOINT_OPERATIONS, type WebhookEndpoints, webhookEndpointsResource } from './webhook-endpoints.ts';
import { WEBHOOK_EVENT_OPERATIONS, type WebhookEvents, webhookEventsResource } from './webhook-events.ts';

/** Endpoints, events and deliveries of webhooks. */
export interface Webhooks {
  readonly endpoints: WebhookEndpoints;
  readonly events: WebhookEvents;
  readonly deliveries: WebhookDeliveries;
}

/** The families of a client. */
export interface Resources {
  readonly me: MeResource;
  readonly clients: Clients;
  readonly webhooks: Webhooks;
}

/** Every family with its methods: a new one is a line here and one in {@link createResources}. */
const TABLES = {
  me: ME_OPERATIONS,
  clients: CLIENT_OPERATIONS,
  webhooks: {
    endpoints: WEBHOOK_ENDPOINT_OPERATIONS,
    events: WEBHOOK_EVENT_OPERATIONS,
    deliveries: WEBHOOK_DELIVERY_OPERATIONS,
  },
} as const;

export function createResources(engine: Engine): Resources {
  return {
    me: meResource(engine),
    clients: clientsResource(engine),
    webhooks: {
      endpoints: webhookEndpointsResource(engine),
      events: webhookEventsResource(engine),
      deliveries: webhookDeliveriesResource(engine),
    },
  };
}

/** Operations that no method calls: does not compile unless there is none. A test counts the methods for each. */
type Leaves<T> = T extends string ? T : { [K in keyof T]: Leaves<T[K]> }[keyof T];
type Missing = Exclude<OperationName, Leaves<typeof TABLES>>;
true satisfies [Missing] extends [never] ? true : { missing: Missing };
