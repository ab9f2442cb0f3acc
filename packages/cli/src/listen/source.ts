import { LIMITS, type PlatformEvent } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import type { CommandContext } from '../command/context.ts';
import { createRetries } from '../polling/retries.ts';

/** The events of the tenant. Reads retry transient errors. */
export interface EventSource {
  readonly tenantId: string;
  /** Returns the id of the newest event; null if there is none. */
  newest(): Promise<string | null>;
  /** Returns up to 100 events after an id, oldest first. */
  after(id: string): Promise<{ readonly events: readonly PlatformEvent[]; readonly more: boolean }>;
  /** Returns whether less than a quarter of the key's requests remain. */
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
  const page = (query: { readonly limit: number; readonly ending_before?: string }) =>
    retrying(() => platform.webhooks.events.list(query, options));
  const { tenant_id: tenantId } = await retrying(() => platform.me.get(options));
  return {
    tenantId,
    async newest() {
      return (await page({ limit: 1 })).data[0]?.id ?? null;
    },
    async after(id) {
      const { data, has_more: more } = await page({ limit: LIMITS.page.max, ending_before: id });
      return { events: data.toReversed(), more };
    },
    isRateLimitLow,
  };
}
