import { setTimeout as wait } from 'node:timers/promises';
import type { LoggedRequest, RequestListParams } from '@plat/contract';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { PRIMARY, select, usingIndex } from '../../db/sql.ts';
import { columnsOf } from '../../db/statements.ts';
import { REQUESTS, type RequestRow } from '../../db/tables/requests.ts';
import { ApiError } from '../../kernel/api-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
import { FILTERS, presentEntry } from './requests.service.ts';

/** A person who watches the request log of a tenant. */
export interface Viewer {
  /** Account, for the limit of each account. */
  readonly accountId: string;
  /** Newest entry that the person sees already; null if the list is empty. */
  readonly after: string | null;
  /** Only entries with these values are shown. */
  readonly filters: Pick<RequestListParams, (typeof FILTERS)[number]>;
  /** Resolves to false when the session or the right to read has ended. */
  isAllowed(): Promise<boolean>;
  /** Shows new entries, oldest first. `hasGap`: there were more than one read returns. */
  show(entries: readonly LoggedRequest[], hasGap: boolean): void;
  end(): void;
}

/** The live tail of the request log in one process. */
export interface RequestTail {
  /** @throws {@link ApiError} RATE_LIMITED when the process or the account has too many viewers */
  requireRoom(accountId: string): void;
  /** Adds a viewer. Returns a function that removes the viewer. */
  follow(tenantId: string, viewer: Viewer): () => void;
}

interface RequestTailOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

/** Viewers of one process, and of one account. */
const MAX_VIEWERS = 500;
const MAX_OF_ACCOUNT = 20;

const POLL_MS = 1_000;
/** Interval at which the session of a viewer is read again, in ms. */
const CHECK_MS = 5_000;
/**
 * Age of the entries that each poll reads, in ms. An entry has the time at which its request began and is written when
 * the request ends, so a newer entry can be written first.
 */
const WINDOW_MS = 20_000;
/** Entries of one read. */
const ROWS = 100;

interface Watched {
  readonly viewers: Map<Viewer, { isNew: boolean; checkedAt: number }>;
  /** Entries of the window that were shown. */
  seen: ReadonlySet<string>;
}

/**
 * Follows the request log by reading it, so that entries of other processes appear too. A tenant with viewers costs one
 * read of a range of the primary key per second, for any number of viewers.
 */
export function createRequestTail({ db, clock, log, closing }: RequestTailOptions): RequestTail {
  const tenants = new Map<string, Watched>();
  const sql = `SELECT ${columnsOf(REQUESTS).join(', ')} FROM requests ${usingIndex(db, PRIMARY)}
    WHERE tenant_id = :tenantId AND id >= :from ORDER BY id DESC LIMIT ${ROWS}`;

  async function watch(tenantId: string, watched: Watched): Promise<void> {
    while (watched.viewers.size > 0 && !closing.aborted) {
      await poll(tenantId, watched).catch((err: unknown) => log.debug({ err }, 'the request log could not be read'));
      await wait(POLL_MS, undefined, { signal: closing, ref: false }).catch(() => undefined);
    }
    tenants.delete(tenantId);
    for (const viewer of watched.viewers.keys()) viewer.end();
  }

  async function poll(tenantId: string, watched: Watched): Promise<void> {
    await endForbidden(watched);
    const rows = await select<RequestRow>(db, sql, { tenantId, from: lowestIdAt('request', clock() - WINDOW_MS) });
    rows.reverse();
    const fresh = rows.filter(({ id }) => !watched.seen.has(id));
    for (const [viewer, state] of watched.viewers) {
      const { after, filters } = viewer;
      const news = (state.isNew ? rows.filter(({ id }) => after === null || id > after) : fresh).filter((row) =>
        FILTERS.every((name) => filters[name] === undefined || row[name] === filters[name]),
      );
      const hasGap = !state.isNew && fresh.length === ROWS;
      if (news.length > 0 || hasGap) viewer.show(news.map(presentEntry), hasGap);
      state.isNew = false;
    }
    watched.seen = new Set(rows.map(({ id }) => id));
  }

  async function endForbidden({ viewers }: Watched): Promise<void> {
    const now = performance.now();
    const due = [...viewers].filter(([, { checkedAt }]) => now - checkedAt >= CHECK_MS);
    await Promise.all(
      due.map(async ([viewer, state]) => {
        state.checkedAt = now;
        // While the database fails, nothing new is shown either.
        if (await viewer.isAllowed()) return;
        viewers.delete(viewer);
        viewer.end();
      }),
    );
  }

  return {
    requireRoom(accountId) {
      const viewers = [...tenants.values()].flatMap((watched) => [...watched.viewers.keys()]);
      const own = viewers.filter((viewer) => viewer.accountId === accountId).length;
      if (viewers.length < MAX_VIEWERS && own < MAX_OF_ACCOUNT) return;
      throw new ApiError('RATE_LIMITED', 'Too many live views are open; close one, or try again later', {
        headers: { 'Retry-After': '30' },
      });
    },
    follow(tenantId, viewer) {
      const known = tenants.get(tenantId);
      const watched = known ?? { viewers: new Map(), seen: new Set() };
      watched.viewers.set(viewer, { isNew: true, checkedAt: performance.now() });
      if (!known) {
        tenants.set(tenantId, watched);
        void watch(tenantId, watched);
      }
      return () => void watched.viewers.delete(viewer);
    },
  };
}
