import { LIMITS, type LoggedRequest, type RequestListParams, timeOfId } from '@plat/contract';
import type { Platform, RateLimit } from '@plat/sdk';
import type { Feed, Look } from '../follow/follow.ts';
import type { Patience } from '../follow/patience.ts';

/**
 * How late a request may appear in the log, in ms: its id has the time at which it came, and it is written when it was
 * answered. Nearly all are late by what the server gathers before it writes; a few wait for locks, or for a slow caller.
 */
const NEAR_MS = 2_000;
const LATENESS_MS = 60_000;

/** The request log of the tenant. */
export interface RequestSource {
  /** Up to so many requests, the newest first. */
  newest(limit: number): Promise<readonly LoggedRequest[]>;
  /** Those of a time on, in ms, the oldest first, and how many requests it took to read them. */
  since(ms: number): Promise<{ readonly found: readonly LoggedRequest[]; readonly requests: number }>;
  /** Where the key stands, as the last answer said. */
  rateLimit(): RateLimit | null;
}

export function openRequestSource(
  platform: Platform,
  { patiently, options }: Patience,
  filters: RequestListParams,
): RequestSource {
  let rateLimit: RateLimit | null = null;
  async function page(query: RequestListParams) {
    const call = () => platform.requests.list({ ...filters, ...query }, options).withMeta();
    const { data, rateLimit: left } = await patiently(call);
    rateLimit = left;
    return data;
  }
  return {
    newest: async (limit) => (await page({ limit })).data,
    async since(ms) {
      const created_after = new Date(ms - 1).toISOString();
      const found: LoggedRequest[] = [];
      for (let requests = 1; ; requests++) {
        const last = found.at(-1);
        const cursor = last ? { starting_after: last.id } : {};
        const { data, has_more: more } = await page({ limit: LIMITS.page.max, created_after, ...cursor });
        found.push(...data);
        if (!more || data.length === 0) return { found: found.reverse(), requests };
      }
    },
    rateLimit: () => rateLimit,
  };
}

interface RequestFeed extends Feed {
  /** Takes the log as it stands for known, and gives the last so many requests of it to `handle`. */
  begin(lines: number): Promise<void>;
}

/** Gives each request that is new to `handle`, the older before the newer as far as they come so. */
export function createRequestFeed(
  source: RequestSource,
  handle: (request: LoggedRequest) => Promise<void>,
): RequestFeed {
  const seen = new Set<string>();
  let newest = 0;

  async function take(request: LoggedRequest): Promise<void> {
    seen.add(request.id);
    newest = Math.max(newest, timeOfId(request.id));
    await handle(request);
  }

  async function look(backMs: number): Promise<Look> {
    const { found, requests } = await source.since(Math.max(newest - backMs, 1));
    const unseen = found.filter(({ id }) => !seen.has(id));
    for (const request of unseen) await take(request);
    return { found: unseen.length, requests };
  }

  return {
    async begin(lines) {
      // One more than are wanted where none are: it says where the log ends.
      const last = await source.newest(Math.max(lines, 1));
      newest = Math.max(0, ...last.map(({ id }) => timeOfId(id)));
      for (const { id } of (await source.since(Math.max(newest - LATENESS_MS, 1))).found) seen.add(id);
      if (lines === 0) return;
      for (const request of last.toReversed()) await take(request);
    },
    near: () => look(NEAR_MS),
    async sweep() {
      const looked = await look(LATENESS_MS);
      for (const id of seen) if (timeOfId(id) < newest - LATENESS_MS) seen.delete(id);
      return looked;
    },
  };
}
