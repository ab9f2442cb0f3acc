import { ALL_EVENT_TYPES, type EventListParams, type EventType, type PlatformEvent } from '@plat/contract';
import { anyObject, id, listFields, object, oneOf, optional, type Rule, timestamp } from '../../http/rules.ts';

/** The envelope of every event; what `data` holds depends on `type`, which no rule of one shape can say. */
interface Envelope {
  readonly id: string;
  readonly object: 'event';
  readonly type: EventType;
  readonly created: string;
  readonly tenant_id: string;
  readonly data: object;
}

const envelope = object<Envelope>({
  id: id('event'),
  object: oneOf(['event']),
  type: oneOf(ALL_EVENT_TYPES),
  created: timestamp(),
  tenant_id: id('tenant'),
  data: anyObject(),
});

export const event: Rule<PlatformEvent> = { schema: envelope.schema, json: envelope.json };

export const eventList = object<EventListParams>({
  ...listFields,
  type: optional(oneOf(ALL_EVENT_TYPES)),
  created_after: optional(timestamp()),
  created_before: optional(timestamp()),
});
