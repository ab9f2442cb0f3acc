import { RETRY_DELAYS_SECONDS } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { createdBetween, selectPage } from '../../db/page.ts';
import { WEBHOOK_DELIVERIES } from '../../db/tables/webhook-deliveries.ts';
import { DAY_MS, isoTime } from '../../kernel/clock.ts';

/** Maximum number of rows that the figures of a day are computed from. */
const DAY_ROWS = 5_000;

/** One attempt of the last 24 h. */
export interface DayAttempt {
  /** In ms. */
  readonly at: number;
  readonly isGood: boolean;
  /** Duration in ms. */
  readonly ms: number;
}

/** The deliveries of the last 24 h. */
export interface DeliveryDay {
  /** Start of the 24 h, in ms. */
  readonly since: number;
  /** Newest first. */
  readonly attempts: readonly DayAttempt[];
  /** Number of scheduled attempts. */
  readonly due: number;
  /** True if there are more attempts than the {@link DAY_ROWS} that were read. */
  readonly isCut: boolean;
}

/**
 * Reads the attempts of the last 24 h from one range of the primary key. The range begins earlier by the longest delay,
 * because the row of an attempt is created when it is scheduled.
 */
export async function deliveryDay({ db, tenantId, now }: ReadContext): Promise<DeliveryDay> {
  const since = now - DAY_MS;
  const longest = Math.max(...RETRY_DELAYS_SECONDS) * 1000;
  const { rows, hasMore } = await selectPage(db, {
    table: WEBHOOK_DELIVERIES,
    columns: ['status', 'attempted_at', 'duration_ms'],
    kind: 'webhook_delivery',
    tenantId,
    params: { limit: DAY_ROWS },
    between: createdBetween('webhook_delivery', { created_after: isoTime(since - longest) }),
  });
  const attempts = rows.flatMap(({ status, attempted_at: at, duration_ms: ms }) =>
    at === null || at < since ? [] : [{ at, isGood: status === 'succeeded', ms: ms ?? 0 }],
  );
  return { since, attempts, due: rows.filter(({ status }) => status === 'pending').length, isCut: hasMore };
}
