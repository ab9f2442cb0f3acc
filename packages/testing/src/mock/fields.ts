import {
  ALL_EVENT_TYPES,
  CLIENT_STATUSES,
  ERROR_CODES,
  HTTP_METHODS,
  INVOICE_STATUSES,
  LIMITS,
  MEMBERSHIP_POLICIES,
  OPERATIONS,
  type OperationName,
  type OperationTypes,
  REQUEST_OUTCOMES,
  USER_STATUSES,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ENDPOINT_STATUSES,
  WEBHOOK_REPLAY_SELECTS,
  WEBHOOK_REPLAY_STATUSES,
} from '@plat/contract';
import {
  anyText,
  boolean,
  country,
  domain,
  email,
  id,
  integer,
  integerText,
  listOf,
  locale,
  name,
  nullable,
  oneOf,
  optional,
  type Rule,
  required,
  roleName,
  slug,
  text,
  timestamp,
  timezone,
} from './rules.ts';

type Part = 'query' | 'body';

/** The operations that take a query, or a body. */
type Taking<P extends Part> = {
  [O in OperationName]: [OperationTypes[O][P]] extends [never] ? never : O;
}[OperationName];

/** Rules of exactly the fields that an operation takes: the compiler asks for each. */
type FieldsOf<P extends Part> = {
  readonly [O in Taking<P>]: { readonly [F in keyof OperationTypes[O][P]]-?: Rule };
};

const title = name;
const address = optional(nullable(text(LIMITS.address.max)));
const description = optional(nullable(text(LIMITS.description.max)));
const membership_policy = optional(oneOf(MEMBERSHIP_POLICIES));
const capabilities = optional(listOf(text(64), LIMITS.capabilities));
const url = text(LIMITS.url.max);
const events = listOf(oneOf([...ALL_EVENT_TYPES, '*']), { min: 1, max: ALL_EVENT_TYPES.length + 1 });
const client_id = optional(nullable(id('client')));
const location_id = optional(nullable(id('location')));
const endpoint_id = optional(id('webhook_endpoint'));

const locationCreate = {
  name: required(name),
  country: required(country),
  timezone: optional(timezone),
  address,
  default: optional(boolean),
};
const locationUpdate = { ...locationCreate, name: optional(name), country: optional(country) };

/** The fields of every body. */
export const BODIES: FieldsOf<'body'> = {
  'clients.create': { name: required(name), slug: optional(slug) },
  'clients.update': {
    name: optional(name),
    status: optional(oneOf(CLIENT_STATUSES)),
    slug: optional(slug),
    domain: optional(nullable(domain)),
    custom_domain: optional(nullable(domain)),
  },
  'clients.locations.create': locationCreate,
  'clients.locations.update': locationUpdate,
  'groups.create': { name: required(name), slug: optional(slug), membership_policy },
  'groups.update': { name: optional(name), slug: optional(slug), membership_policy },
  'groups.members.add': { client_id: required(id('client')) },
  'groups.owners.invite': { email: required(email) },
  'groups.locations.create': locationCreate,
  'groups.locations.update': locationUpdate,
  'users.create': {
    email: required(email),
    role: required(roleName),
    name: optional(nullable(name)),
    client_id,
    location_id,
  },
  'users.update': { name: optional(nullable(name)), role: optional(roleName), client_id, location_id },
  'tenant.update': { name: optional(name) },
  'settings.update': {
    default_timezone: optional(timezone),
    default_locale: optional(locale),
    support_email: optional(nullable(email)),
    launch_token_ttl_seconds: optional(integer(LIMITS.launchTokenSeconds.min, LIMITS.launchTokenSeconds.max)),
  },
  'roles.create': { name: required(roleName), title: required(title), description, capabilities },
  'roles.update': { title: optional(title), description, capabilities },
  'webhooks.endpoints.create': { url: required(url), events: required(events), description },
  'webhooks.endpoints.update': {
    url: optional(url),
    events: optional(events),
    description,
    status: optional(oneOf(WEBHOOK_ENDPOINT_STATUSES)),
  },
  'webhooks.endpoints.rotate_secret': { expires_in: optional(integer(0, LIMITS.webhook.secretOverlapSeconds)) },
  'webhooks.events.replay': { endpoint_id },
  'webhooks.replays.create': {
    since: required(timestamp),
    until: optional(timestamp),
    endpoint_id,
    event_types: optional(listOf(oneOf(ALL_EVENT_TYPES), { min: 1, max: ALL_EVENT_TYPES.length })),
    select: optional(oneOf(WEBHOOK_REPLAY_SELECTS)),
  },
};

const pages = {
  limit: optional(integerText(1, LIMITS.page.max)),
  starting_after: optional(anyText),
  ending_before: optional(anyText),
};
const created = { created_after: optional(timestamp), created_before: optional(timestamp) };

/** The parameters of every query. */
export const QUERIES: FieldsOf<'query'> = {
  'clients.list': { ...pages, status: optional(oneOf(CLIENT_STATUSES)), slug: optional(slug) },
  'clients.locations.list': pages,
  'groups.list': pages,
  'groups.members.list': pages,
  'groups.owners.list': pages,
  'groups.locations.list': pages,
  'users.list': {
    ...pages,
    status: optional(oneOf(USER_STATUSES)),
    role: optional(roleName),
    client_id: optional(id('client')),
    email: optional(email),
  },
  'roles.list': pages,
  'audit.events.list': {
    ...pages,
    ...created,
    action: optional(anyText),
    actor_id: optional(anyText),
    target_id: optional(anyText),
  },
  'requests.list': {
    ...pages,
    ...created,
    outcome: optional(oneOf(REQUEST_OUTCOMES)),
    code: optional(oneOf(Object.keys(ERROR_CODES))),
    method: optional(oneOf(HTTP_METHODS)),
    operation: optional(oneOf(Object.keys(OPERATIONS))),
    credential_id: optional(anyText),
  },
  'modules.list': pages,
  'plans.list': pages,
  'billing.invoices.list': { ...pages, status: optional(oneOf(INVOICE_STATUSES)) },
  'billing.payments.list': { ...pages, invoice_id: optional(id('invoice')) },
  'webhooks.endpoints.list': { ...pages, status: optional(oneOf(WEBHOOK_ENDPOINT_STATUSES)) },
  'webhooks.events.list': { ...pages, ...created, type: optional(oneOf(ALL_EVENT_TYPES)) },
  'webhooks.deliveries.list': {
    ...pages,
    event_id: optional(id('event')),
    endpoint_id,
    status: optional(oneOf(WEBHOOK_DELIVERY_STATUSES)),
  },
  'webhooks.replays.list': { ...pages, status: optional(oneOf(WEBHOOK_REPLAY_STATUSES)), endpoint_id },
};
