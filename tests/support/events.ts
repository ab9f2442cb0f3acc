import type { EventType, PlatformEvent } from '@plat/contract';
import { verify } from '@plat/webhooks';
import type { Api } from './api.ts';
import { startReceiver } from './receiver.ts';

/** What an integrator's endpoint gets: every delivery verified. */
export interface EventStream {
  /** Waits until this many have arrived, and gives them in the order that they say. */
  first(count: number): Promise<PlatformEvent[]>;
  close(): Promise<void>;
}

/** Registers a real receiver for some types of a tenant's events. */
export async function receiveEvents(api: Api, types: readonly (EventType | '*')[]): Promise<EventStream> {
  const receiver = await startReceiver();
  const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: types } });
  return {
    async first(count) {
      await receiver.waitFor(count);
      const events = receiver.received.map(({ body, headers }) => verify(body, headers, { secrets: endpoint.secret }));
      // What is told apart by `type` in the contract: the stories assert on the whole of it.
      return (events as PlatformEvent[]).sort((a, b) => (a.created + a.id < b.created + b.id ? -1 : 1));
    },
    close: () => receiver.close(),
  };
}
