import type { EventType } from './event-types.ts';
import type { EventPayloads } from './generated.ts';

/** The event object: the body of a webhook delivery (specification, event object). */
export interface EventOf<T extends EventType> {
  /** Id of the event, `evt_…`. It is the same in every delivery; deduplicate on it. */
  readonly id: string;
  /** Always `event`. */
  readonly object: 'event';
  /** The event type; it selects the type of `data`. */
  readonly type: T;
  /** Commit time in ISO 8601 with milliseconds. It orders the events of a tenant; ties are resolved by id. */
  readonly created: string;
  /** Id of the tenant. */
  readonly tenant_id: string;
  /** The affected resource as it was committed. */
  readonly data: EventPayloads[T];
}

/** Any event of a tenant. `type` determines the type of `data`. */
export type PlatformEvent = { [T in EventType]: EventOf<T> }[EventType];
