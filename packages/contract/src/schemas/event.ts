import { ALL_EVENT_TYPES, type AnyEventType, EVENT_TYPES, type EventType } from '../event-types.ts';
import type { JsonSchema } from './json-schema.ts';
import { answer, field, page, params } from './objects.ts';
import type { Operations } from './operations.ts';
import { PAYLOADS } from './payloads.ts';
import { anyId, id, time } from './texts.ts';
import { always, oneOf } from './values.ts';

/** Schema of any event: the body of a webhook delivery. */
export const event = anyEvent(
  'PlatformEvent',
  'A committed change of the data of a tenant. `type` determines the type of `data`.',
  ALL_EVENT_TYPES.map(eventOf),
);

export const eventList = params('EventListParams', 'Filters and paging for the list of events.', {
  ...page,
  type: oneOf('EventType', ALL_EVENT_TYPES, 'Only events of this type.'),
  object_id: anyId(
    'Only events about the object with this id. Members and owners of a group are about the group.',
    'cli_01k0z8k3v7e5q2m9t4r6w1x8c0',
  ),
  created_after: time('Only events created after this time.'),
  created_before: time('Only events created before this time.'),
});

/** Returns the schema of the events of one type. */
export function eventOf(type: EventType): JsonSchema {
  const schema = envelopeOf(type, EVENT_TYPES[type], PAYLOADS[type], { tenant_id: id('tenant') });
  return { ...schema, 'x-type': `EventOf<'${type}'>` };
}

/**
 * Returns the schema of the events of any type.
 * @param about fields between `created` and `data`
 */
export function envelopeOf(
  type: AnyEventType,
  description: string,
  payload: JsonSchema,
  about: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const title = type.replace(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase());
  return answer(`${title}Event`, description, {
    id: id('event', 'Id of the event, the same in every delivery. Deduplicate on it.'),
    object: always('event'),
    type: always(type),
    created: time('Commit time of the change. It orders the events of a tenant; ties are resolved by `id`.'),
    ...about,
    data: field(payload, 'The affected resource as committed.'),
  });
}

/** Returns the schema of one of several events. */
export function anyEvent(title: string, description: string, events: readonly JsonSchema[]): JsonSchema {
  return {
    title,
    'x-type': title,
    description,
    oneOf: events,
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        events.map(({ title: name = '', properties }) => [properties?.['type']?.const, name]),
      ),
    },
  };
}

export const operations = {
  'webhooks.events.list': {
    query: 'EventListParams',
    answer: 'PlatformEvent',
    details: 'The `type` of an event determines the type of its data.',
  },
  'webhooks.events.get': {
    answer: 'PlatformEvent',
    errors: ['WEBHOOK_EVENT_NOT_FOUND'],
  },
  'webhooks.events.replay': {
    body: 'EventReplayParams',
    answer: 'WebhookDeliveryList',
    errors: ['WEBHOOK_EVENT_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND', 'UNPROCESSABLE'],
    details:
      'It is sent to one endpoint, or to every enabled endpoint that is subscribed to its type. The response has all new deliveries, without pages. An endpoint that is disabled or not subscribed to the type is refused: `UNPROCESSABLE`.',
  },
} as const satisfies Operations;
