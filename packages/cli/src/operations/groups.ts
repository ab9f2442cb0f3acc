import type { OperationName } from '@plat/contract';

/** The families of operations that have a command of their own, with what `--help` says of them. */
export const GROUPS = {
  me: 'Show which tenant, type and scopes the API key has',
  clients: 'List, create, change and delete clients',
  webhooks: 'Webhook endpoints, events and deliveries',
  'webhooks.endpoints': 'Where events are sent to',
  'webhooks.events': 'What happened, for 30 days',
  'webhooks.deliveries': 'Each attempt to send an event',
} as const satisfies Record<FamilyOf<OperationName>, string>;

/** `webhooks` and `webhooks.endpoints` for `webhooks.endpoints.list`. */
type FamilyOf<N extends string> = N extends `${infer First}.${infer Rest}`
  ? Rest extends `${string}.${string}`
    ? First | `${First}.${FamilyOf<Rest>}`
    : First
  : never;
