import {
  CLIENT_STATUSES,
  type EventType,
  LIMITS,
  type ListParams,
  type OperationName,
  type OperationTypes,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ENDPOINT_STATUSES,
} from '@plat/contract';
import {
  type AnyField,
  type Fields,
  integer,
  nullable,
  oneOf,
  openText,
  openTexts,
  required,
  sameAs,
  text,
} from './field.ts';

const eventTypes = openTexts<EventType | '*'>("event types to send, or '*' for all, later ones included", 'type');
const description = nullable(text('what it is for'));
const endpointUrl = text('where events are posted to', 'url');

/** Operation → the fields of its query or body. The compiler asks for every field of every operation. */
export const FIELDS: { readonly [N in OperationName]: FieldsOf<N> } = {
  'me.get': {},

  'clients.list': {
    status: oneOf(CLIENT_STATUSES, 'only clients in this status'),
    slug: text('only the client with this slug', 'slug'),
  },
  'clients.create': {
    name: required(text('name of the client', 'name')),
    slug: text('short name, unique in the tenant; made from the name when absent', 'slug'),
  },
  'clients.get': {},
  'clients.update': {
    name: text('new name', 'name'),
    status: oneOf(CLIENT_STATUSES, 'new status'),
    slug: text('new slug', 'slug'),
    domain: nullable(text('custom domain, such as shop.example.com', 'domain')),
    custom_domain: sameAs('domain'),
  },
  'clients.delete': {},

  'webhooks.endpoints.list': {
    status: oneOf(WEBHOOK_ENDPOINT_STATUSES, 'only endpoints in this status'),
  },
  'webhooks.endpoints.create': {
    url: required(endpointUrl),
    events: required(eventTypes),
    description,
  },
  'webhooks.endpoints.get': {},
  'webhooks.endpoints.update': {
    url: endpointUrl,
    events: eventTypes,
    description,
    status: oneOf(WEBHOOK_ENDPOINT_STATUSES, 'whether events are sent'),
  },
  'webhooks.endpoints.delete': {},
  'webhooks.endpoints.rotate_secret': {
    expires_in: integer(
      `seconds that the old secret goes on signing too, up to ${LIMITS.webhook.secretOverlapSeconds}; 0 when absent`,
      'seconds',
    ),
  },

  'webhooks.events.list': {
    type: openText<EventType>('only events of this type', 'type'),
    created_after: text('only events after this time (ISO 8601)', 'time'),
    created_before: text('only events before this time (ISO 8601)', 'time'),
  },
  'webhooks.events.get': {},
  'webhooks.deliveries.list': {
    event_id: text('only attempts for this event', 'id'),
    endpoint_id: text('only attempts at this endpoint', 'id'),
    status: oneOf(WEBHOOK_DELIVERY_STATUSES, 'only attempts in this status'),
  },
  'webhooks.deliveries.get': {},
};

/** What every list takes beside its filters; `limit` is the commands' own, as it reaches beyond one page. */
export const CURSOR_FIELDS: Fields<Omit<ListParams, 'limit'>> = {
  starting_after: text('the page behind this id (of the last item of the page before)', 'id'),
  ending_before: text('the page before this id (of the first item of the page after)', 'id'),
};

/** Path parameter → what it is. */
export const PATH_PARAMETERS: Readonly<Record<PathParameter, string>> = {
  client_id: 'id of the client (cli_…)',
  endpoint_id: 'id of the webhook endpoint (whe_…)',
  event_id: 'id of the event (evt_…)',
  delivery_id: 'id of the delivery attempt (del_…)',
};

/** The fields of an operation with their names, in the order of the table. */
export function fieldsOf(operation: OperationName): readonly (readonly [name: string, field: AnyField])[] {
  return Object.entries<AnyField>(FIELDS[operation]);
}

type FieldsOf<N extends OperationName> = [OperationTypes[N]['body']] extends [never]
  ? [OperationTypes[N]['query']] extends [never]
    ? Readonly<Record<never, AnyField>>
    : Fields<Omit<OperationTypes[N]['query'], keyof ListParams>>
  : Fields<OperationTypes[N]['body']>;

type PathParameter = { [N in OperationName]: keyof OperationTypes[N]['path'] }[OperationName];
