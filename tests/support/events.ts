import type { EventType, PlatformEvent } from '@plat/contract';
import { verify } from '@plat/webhooks';
import type { Api } from './api.ts';
import { startReceiver } from './receiver.ts';

/** Deliveries that an integrator's endpoint received and verified. */
export interface EventStream {
  /** Waits for this many events and returns them in the order of their `created` and `id`. */
  first(count: number): Promise<PlatformEvent[]>;
  close(): Promise<void>;
}

/** Registers a real receiver for some event types of a tenant. */
export async function receiveEvents(api: Api, types: readonly (EventType | '*')[]): Promise<EventStream> {
  const receiver = await startReceiver();
  const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: types } });
  return {
    async first(count) {
      await receiver.waitFor(count);
      const events = receiver.received.map(({ body, headers }) => verify(body, headers, { secrets: endpoint.secret }));
      // The contract distinguishes events by `type`. Stories assert on the whole union.
      return (events as PlatformEvent[]).sort((a, b) => (a.created + a.id < b.created + b.id ? -1 : 1));
    },
    close: () => receiver.close(),
  };
}
