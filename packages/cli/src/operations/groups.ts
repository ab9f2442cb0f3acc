import type { OperationName } from '@plat/contract';

/** Families of operations with their summaries for `--help`. */
export const GROUPS = {
  me: 'Show which tenant, type and scopes the credential has',
  clients: 'Clients: list, create, change and delete them; their locations',
  'clients.locations': 'Locations of a client',
  groups: 'Groups of clients: their members, owners and locations',
  'groups.members': 'The clients in a group',
  'groups.owners': 'The users who own a group, or are invited to',
  'groups.locations': 'Locations of a group',
  users: 'Users: invite, change and deactivate them',
  tenant: 'Show and rename the tenant',
  settings: 'Show and change the settings of the tenant',
  roles: 'Roles and their capabilities',
  audit: 'The audit trail',
  'audit.events': 'What was changed, by whom and when',
  requests: 'The request log',
  trace: 'Show all that is recorded about an id, e-mail address or slug',
  modules: 'The modules of the platform',
  plans: 'The plans of the platform',
  billing: 'Invoices and payments',
  'billing.invoices': 'What the tenant is asked to pay',
  'billing.payments': 'What the tenant paid',
  webhooks: 'Webhook endpoints, events, deliveries and replays',
  'webhooks.endpoints': 'Where events are sent to',
  'webhooks.events': 'What happened, for 30 days; send it again',
  'webhooks.deliveries': 'Each attempt to send an event',
  'webhooks.replays': 'Send many events again: what failed, and what an endpoint missed',
} as const satisfies Record<FamilyOf<OperationName>, string>;

/** `webhooks` and `webhooks.endpoints` for `webhooks.endpoints.list`. */
type FamilyOf<N extends string> = N extends `${infer First}.${infer Rest}`
  ? Rest extends `${string}.${string}`
    ? First | `${First}.${FamilyOf<Rest>}`
    : First
  : never;
