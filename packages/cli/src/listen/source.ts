import { LIMITS, type PlatformEvent } from '@plat/contract';
import type { Platform, RateLimit } from '@plat/sdk';
import type { CommandContext } from '../command/context.ts';
import { isShort } from '../follow/follow.ts';
import { createPatience } from '../follow/patience.ts';

/** The tenant's events, read with patience: a server that is away is waited for. */
export interface EventSource {
  readonly tenantId: string;
  /** The id of the newest event; null where there is none. */
  newest(): Promise<string | null>;
  /** Up to a hundred events behind an id, oldest first, and whether there are more. */
  after(id: string): Promise<{ readonly events: readonly PlatformEvent[]; readonly more: boolean }>;
  /** Whether less than a quarter of the key's requests are left, which others may need. */
  isShort(): boolean;
}

/**
 * Finds out whose events the key opens.
 * @throws PlatformError when the key is refused, or the address is not one of the API
 */
export async function openSource(
  context: CommandContext,
  platform: Platform,
  signal: AbortSignal,
): Promise<EventSource> {
  const { patiently, options } = await createPatience(context, signal);
  let rateLimit: RateLimit | null = null;

  async function page(query: { readonly limit: number; readonly ending_before?: string }) {
    const { data, rateLimit: left } = await patiently(() => platform.webhooks.events.list(query, options).withMeta());
    rateLimit = left;
    return data;
  }

  const { tenant_id: tenantId } = await patiently(async () => platform.me.get(options));
  return {
    tenantId,
    async newest() {
      return (await page({ limit: 1 })).data[0]?.id ?? null;
    },
    async after(id) {
      const { data, has_more: more } = await page({ limit: LIMITS.page.max, ending_before: id });
      return { events: data.toReversed(), more };
    },
    isShort: () => isShort(rateLimit),
  };
}
