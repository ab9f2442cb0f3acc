import { LIMITS, type LoggedRequest, type RequestListParams, timeOfId } from '@plat/contract';
import type { Page, Platform } from '@plat/sdk';
import type { Feed, PollResult } from '../polling/poll.ts';
import type { Retries } from '../polling/retries.ts';

/**
 * Usual delay in ms between the time in the id of a request (its arrival) and its log entry (after the response). The
 * server writes entries in batches; a few are delayed further by locks or a slow caller.
 */
const NEAR_MS = 2_000;
const LATENESS_MS = 60_000;
/** Maximum number of pages that are read for the first lines. */
const MAX_FIRST_PAGES = 20;

/** The request log of the tenant. */
export interface RequestSource {
  /** Returns the first page of the log, newest first. */
  newest(limit: number): Promise<Page<LoggedRequest>>;
  /** Returns the page after this cursor. */
  older(limit: number, cursor: string): Promise<Page<LoggedRequest>>;
  /** Returns the requests since a time in ms, oldest first, and the number of requests that reading them took. */
  since(ms: number): Promise<{ readonly found: readonly LoggedRequest[]; readonly requests: number }>;
}

export function openRequestSource(
  platform: Platform,
  { retrying, options }: Retries,
  filters: RequestListParams,
): RequestSource {
  const page = (query: RequestListParams) => retrying(() => platform.requests.list({ ...filters, ...query }, options));
  return {
    newest: (limit) => page({ limit }),
    older: (limit, cursor) => page({ limit, starting_after: cursor }),
    async since(ms) {
      const created_after = new Date(ms - 1).toISOString();
      const found: LoggedRequest[] = [];
      let cursor: string | null = null;
      for (let requests = 1; ; requests++) {
        const after: RequestListParams = cursor === null ? {} : { starting_after: cursor };
        const { data, has_more: more, endCursor } = await page({ limit: LIMITS.page.max, created_after, ...after });
        found.push(...data);
        if (!more || endCursor === null) return { found: found.reverse(), requests };
        cursor = endCursor;
      }
    },
  };
}

interface RequestFeed extends Feed {
  /** Marks the current log as known, and passes its last `lines` requests to `handle`. */
  begin(lines: number): Promise<void>;
}

/** Creates a feed that passes each new request to `handle`, oldest first as far as they arrive in order. */
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

  async function pollBack(backMs: number): Promise<PollResult> {
    const { found, requests } = await source.since(Math.max(newest - backMs, 1));
    const unseen = found.filter(({ id }) => !seen.has(id));
    for (const request of unseen) await take(request);
    return { found: unseen.length, requests };
  }

  /** Returns the newest `lines` requests. A page has fewer when the filters match few of the rows that it examined. */
  async function complete(page: Page<LoggedRequest>, lines: number): Promise<readonly LoggedRequest[]> {
    const found = [...page.data];
    for (let pages = 1; page.has_more && page.endCursor !== null && found.length < lines; pages++) {
      if (pages === MAX_FIRST_PAGES) break;
      page = await source.older(lines - found.length, page.endCursor);
      found.push(...page.data);
    }
    return found;
  }

  return {
    async begin(lines) {
      // Reads at least one entry, which marks the end of the log.
      const first = await source.newest(Math.max(lines, 1));
      const { data: last, endCursor } = first;
      // A page without a match shows that the log has none since its cursor.
      newest = Math.max(0, ...last.map(({ id }) => timeOfId(id)), ...(endCursor === null ? [] : [timeOfId(endCursor)]));
      for (const { id } of (await source.since(Math.max(newest - LATENESS_MS, 1))).found) seen.add(id);
      if (lines === 0) return;
      for (const request of (await complete(first, lines)).toReversed()) await take(request);
    },
    latest: () => pollBack(NEAR_MS),
    async sweep() {
      const result = await pollBack(LATENESS_MS);
      for (const id of seen) if (timeOfId(id) < newest - LATENESS_MS) seen.delete(id);
      return result;
    },
  };
}
