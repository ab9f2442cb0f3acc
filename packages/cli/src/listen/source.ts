import { type AppEvent, LIMITS, type List, type PlatformEvent } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import type { DeveloperApi } from '@plat/sdk/developer';
import type { CommandContext } from '../command/context.ts';
import { createRetries } from '../polling/retries.ts';

/** An event of a tenant or of an app. */
export type ListedEvent = PlatformEvent | AppEvent;

/** The events of a tenant or of an app. Reads retry transient errors. */
export interface EventSource {
  /** Id of the tenant or the app. */
  readonly id: string;
  /** Returns the id of the newest event; null if there is none. */
  newest(): Promise<string | null>;
  /** Returns up to 100 events after an id, oldest first. */
  after(id: string): Promise<{ readonly events: readonly ListedEvent[]; readonly more: boolean }>;
  /** Returns whether less than a quarter of the requests of the key or the login remain. */
  isRateLimitLow(): boolean;
}

/**
 * Finds the tenant of the key.
 * @throws PlatformError for a refused key, or an address that is not the API
 */
export async function openSource(
  context: CommandContext,
  platform: Platform,
  signal: AbortSignal,
): Promise<EventSource> {
  const { retrying, isRateLimitLow, options } = await createRetries(context, signal);
  const { tenant_id: id } = await retrying(() => platform.me.get(options));
  const list = (query: Query) => retrying(() => platform.webhooks.events.list(query, options));
  return sourceOf(id, list, isRateLimitLow);
}

/**
 * Finds an app of the logged-in developer.
 * @throws PlatformError for a refused login, an unknown app, or an address that is not the API
 */
export async function openAppSource(
  context: CommandContext,
  { developer, app }: { readonly developer: DeveloperApi; readonly app: string },
  signal: AbortSignal,
): Promise<EventSource> {
  const { retrying, isRateLimitLow, options } = await createRetries(context, signal);
  const { id } = await retrying(() => developer.apps.get(app, options));
  const { events } = developer.apps.webhooks;
  return sourceOf(id, (query) => retrying(() => events.list(id, query, options)), isRateLimitLow);
}

interface Query {
  readonly limit: number;
  readonly ending_before?: string;
}

function sourceOf(
  id: string,
  page: (query: Query) => Promise<List<ListedEvent>>,
  isRateLimitLow: () => boolean,
): EventSource {
  return {
    id,
    async newest() {
      return (await page({ limit: 1 })).data[0]?.id ?? null;
    },
    async after(event) {
      const { data, has_more: more } = await page({ limit: LIMITS.page.max, ending_before: event });
      return { events: data.toReversed(), more };
    },
    isRateLimitLow,
  };
}
