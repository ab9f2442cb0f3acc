import { LIMITS, type PlatformEvent } from '@plat/contract';
import type { Platform, RateLimit } from '@plat/sdk';
import { type CommandContext, note } from '../context.ts';
import { pause } from './stopping.ts';

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

const REQUEST_MS = 15_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/**
 * Finds out whose events the key opens.
 * @throws PlatformError when the key is refused, or the address is not one of the API
 */
export async function openSource(
  context: CommandContext,
  platform: Platform,
  signal: AbortSignal,
): Promise<EventSource> {
  const { isPassing, retryAfterOf } = await import('./passing.ts');
  const options = { signal, maxRetries: 0, timeout: REQUEST_MS };
  let wasReached = false;
  let rateLimit: RateLimit | null = null;

  async function patiently<T>(call: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      try {
        const answer = await call();
        if (failures > 0) await note(context, 'The server answers again.');
        wasReached = true;
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!isPassing(error, wasReached)) throw error;
        const ms = Math.max(retryAfterOf(error), Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS));
        if (failures === 0) await note(context, `${error.message}. Trying again until it answers.`);
        await pause(context.io, ms, signal);
      }
    }
  }

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
    isShort: () => rateLimit !== null && rateLimit.remaining < rateLimit.limit / 4,
  };
}
