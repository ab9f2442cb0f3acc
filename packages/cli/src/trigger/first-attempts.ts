import type { EventType, PlatformEvent, WebhookDelivery } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import { isObject } from '../terminal/value.ts';

/** An event with its first delivery attempts, one for each subscribed endpoint. */
export interface Watched {
  /** null: it was not listed in time. */
  readonly event: PlatformEvent | null;
  readonly deliveries: readonly WebhookDelivery[];
}

/** Watches for the next event of a type, from now on. */
export interface Watch {
  /**
   * Waits for the event whose data has these fields, and for the end of its first attempts.
   * @param wait - waits for the given milliseconds
   */
  until(data: object, seconds: number, wait: (ms: number) => Promise<void>): Promise<Watched>;
}

/** Starts a watch. It runs before the change, so that events listed now are excluded. */
export async function watch(platform: Platform, type: EventType): Promise<Watch> {
  const events = async () => (await platform.webhooks.events.list({ type, limit: 100 })).data;
  const before = new Set((await events()).map(({ id }) => id));
  return {
    async until(data, seconds, wait) {
      let watched: Watched = { event: null, deliveries: [] };
      for (let waited = 0, pause = 100; ; waited += pause, pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        const event =
          watched.event ?? (await events()).find((one) => !before.has(one.id) && has(one.data, data)) ?? null;
        watched = { event, deliveries: event ? await firstAttempts(platform, event.id) : [] };
        const isOver = event !== null && watched.deliveries.every(({ status }) => status !== 'pending');
        if (isOver || waited >= seconds * 1000) return watched;
        await wait(pause);
      }
    },
  };
}

const LONGEST_PAUSE_MS = 1000;

async function firstAttempts(platform: Platform, eventId: string): Promise<WebhookDelivery[]> {
  const { data } = await platform.webhooks.deliveries.list({ event_id: eventId, limit: 100 });
  return data.filter(({ attempt }) => attempt === 1);
}

function has(data: unknown, fields: object): boolean {
  return isObject(data) && Object.entries(fields).every(([name, value]) => data[name] === value);
}
