import {
  ALL_EVENT_TYPES,
  EVENT_TYPES,
  type EventListParams,
  type EventOf,
  type EventPayloads,
  type EventType,
  type PlatformEvent,
} from '@plat/contract';
import {
  describe,
  type Fields,
  id,
  listFields,
  object,
  oneOf,
  oneOfBy,
  optional,
  type Rule,
  timestamp,
} from '../../http/rules.ts';
import { EVENT_PAYLOADS } from '../event-payloads.ts';

/** Event type → the rule of the whole event: what a delivery carries. */
export const EVENTS = Object.fromEntries(ALL_EVENT_TYPES.map((type) => [type, eventOf(type)])) as {
  readonly [T in EventType]: Rule<EventOf<T>>;
};

export const event: Rule<PlatformEvent> = describe(
  oneOfBy<PlatformEvent, 'type'>('Event', 'type', EVENTS),
  'A change that was committed; `type` tells what `data` holds.',
);

export const eventList = object<EventListParams>({
  ...listFields,
  type: optional(describe(oneOf(ALL_EVENT_TYPES), 'Only events of this type.')),
  created_after: optional(describe(timestamp(), 'Only events created after this instant.')),
  created_before: optional(describe(timestamp(), 'Only events created before this instant.')),
});

function eventOf<T extends EventType>(type: T): Rule<EventOf<T>> {
  const name = type.replace(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase());
  const payload: Rule<EventPayloads[T]> = EVENT_PAYLOADS[type];
  const fields = {
    id: describe(id('event'), 'Stable for the event: the value to deduplicate on.'),
    object: oneOf(['event']),
    type: oneOf([type]),
    created: describe(timestamp(), 'When it was committed; orders the events of a tenant, ties by `id`.'),
    tenant_id: id('tenant'),
    data: describe(payload, 'The affected resource, as it was committed.'),
  };
  return describe(object<EventOf<T>>(`${name}Event`, fields as Fields<EventOf<T>>), EVENT_TYPES[type]);
}
