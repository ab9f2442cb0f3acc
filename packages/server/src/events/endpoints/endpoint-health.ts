import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { forUpdate } from '../../db/row-lock.ts';
import { executeText, selectText } from '../../db/sql.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { isoTime } from '../../kernel/clock.ts';
import { assignments } from '../outbox/assignments.ts';
import type { Outcome } from '../outbox/outcomes.ts';
import { whereKeys } from '../outbox/queue.ts';
import { failureText } from '../sending/failure.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { afterFailure, type EndpointState, FAILURES_TO_PAUSE, HEALTHY } from './endpoint-state.ts';

/** What the owners of an endpoint are told. */
export interface EndpointNotice {
  /** `disabled`: nothing is sent to it any more. `failing`: it is still tried. */
  readonly kind: 'disabled' | 'failing';
  readonly tenantId: string;
  readonly endpointId: string;
  readonly url: string;
  /** The `disabled_reason`; null while it is tried. */
  readonly reason: string | null;
  /** In ms, the first attempt that failed. */
  readonly failingSince: number;
  /** What came of the last attempt, in words: `HTTP status 500`. */
  readonly lastFailure: string;
  /** In ms, since when events are missed; null while it is tried. */
  readonly missedSince: number | null;
  /** In ms. */
  readonly now: number;
}

export interface HealthOptions {
  /** After so many days in which every attempt has failed an endpoint is disabled; 0: never. */
  readonly failureDays: number;
  /** Tells the owners, in the transaction of what it tells of. It must not refuse: the outcomes would not be written. */
  tell(transaction: Transaction, notice: EndpointNotice): Promise<void>;
}

/** How an endpoint fares after some outcomes. */
export interface EndpointReport extends EndpointState {
  readonly id: string;
  /** Why these outcomes have disabled it; else null. */
  readonly disabledReason: string | null;
}

const DAY_MS = 86_400_000;
const WARNED_AFTER_MS = DAY_MS;

/** Writes what attempts say of their endpoints, in the transaction of their outcomes, and does what follows from it. */
export async function recordHealth(
  db: Database,
  transaction: Transaction,
  outcomes: readonly Outcome[],
  options: HealthOptions,
): Promise<readonly EndpointReport[]> {
  const byEndpoint = Map.groupBy(outcomes, ({ delivery }) => delivery.endpoint_id);
  const rows = await lockEndpoints(db, transaction, outcomes);
  const judged = rows.map((row) => judge(row, byEndpoint.get(row.id) ?? [], options.failureDays));
  const changed = judged.filter(({ row, state }) => isChanged(row, state));
  if (changed.length > 0) await writeStates(db, transaction, changed);
  for (const judgement of judged) {
    const notice = noticeOf(judgement);
    if (!notice) continue;
    const { row, reason } = judgement;
    if (reason === null) await options.tell(transaction, notice);
    else {
      const missedSince = await disableEndpoint(db, transaction, row, { reason, now: notice.now });
      if (missedSince !== null) await options.tell(transaction, { ...notice, missedSince });
    }
  }
  return judged.map(({ row, state, reason }) => ({ id: row.id, ...state, disabledReason: reason }));
}

/** What came of an attempt that failed, in words. */
function lastFailureOf({ errorClass, answer }: Outcome): string {
  return failureText(errorClass) ?? `HTTP status ${answer?.status}`;
}

type HealthRow = EndpointState &
  Pick<WebhookEndpointRow, 'tenant_id' | 'id' | 'url' | 'status' | 'missed_since' | 'missed_until' | 'updated_at'>;

interface Judgement {
  readonly row: HealthRow;
  readonly state: EndpointState;
  /** Why it is to be disabled. */
  readonly reason: string | null;
  readonly last: Outcome | undefined;
}

function lockEndpoints(db: Database, transaction: Transaction, outcomes: readonly Outcome[]): Promise<HealthRow[]> {
  const keys = whereKeys(outcomes.map(({ delivery }) => ({ tenant_id: delivery.tenant_id, id: delivery.endpoint_id })));
  return selectText<HealthRow>(
    db,
    `SELECT tenant_id, id, url, status, missed_since, missed_until, updated_at, ${STATE.join(', ')}
     FROM webhook_endpoints WHERE ${keys.sql}${forUpdate(db)}`,
    keys.values,
    transaction,
  );
}

const STATE = ['consecutive_failures', 'failing_since', 'pauses', 'paused_until', 'warned_at'] as const;

/** In the order in which the attempts ended. What was under way when it was disabled changes nothing. */
function judge(row: HealthRow, outcomes: readonly Outcome[], failureDays: number): Judgement {
  let state: EndpointState = row;
  let reason: string | null = null;
  let last: Outcome | undefined;
  if (row.status === 'enabled') {
    for (const outcome of outcomes) {
      if (outcome.attemptedAt === null) continue;
      if (outcome.status === 'succeeded') {
        state = HEALTHY;
        last = undefined;
        continue;
      }
      last = outcome;
      state = afterFailure(state, { attemptedAt: outcome.attemptedAt, endedAt: outcome.endedAt });
      reason = reasonToDisable(state, outcome, failureDays);
      if (reason !== null) break;
      if (isToWarn(state, outcome)) state = { ...state, warned_at: outcome.endedAt };
    }
  }
  if (reason !== null) state = { ...state, pauses: 0, paused_until: null };
  return { row, state: pick(state), reason, last };
}

function reasonToDisable(state: EndpointState, outcome: Outcome, failureDays: number): string | null {
  const { consecutive_failures, failing_since } = state;
  if (outcome.answer?.status === 410) return 'gone: it answered 410 Gone';
  if (failureDays === 0 || failing_since === null || consecutive_failures < FAILURES_TO_PAUSE) return null;
  if (outcome.endedAt - failing_since < failureDays * DAY_MS) return null;
  return `failing: every attempt since ${isoTime(failing_since)} failed, the last with ${lastFailureOf(outcome)}`;
}

function isToWarn({ failing_since, warned_at }: EndpointState, { endedAt }: Outcome): boolean {
  return warned_at === null && failing_since !== null && endedAt - failing_since >= WARNED_AFTER_MS;
}

function noticeOf({ row, state, reason, last }: Judgement): EndpointNotice | null {
  const isWarning = state.warned_at !== null && row.warned_at === null;
  if (!last || (reason === null && !isWarning)) return null;
  return {
    kind: reason === null ? 'failing' : 'disabled',
    tenantId: row.tenant_id,
    endpointId: row.id,
    url: row.url,
    reason,
    failingSince: state.failing_since ?? last.endedAt,
    lastFailure: lastFailureOf(last),
    missedSince: null,
    now: last.endedAt,
  };
}

function isChanged(row: HealthRow, state: EndpointState): boolean {
  return STATE.some((column) => row[column] !== state[column]);
}

function pick({ consecutive_failures, failing_since, pauses, paused_until, warned_at }: EndpointState): EndpointState {
  return { consecutive_failures, failing_since, pauses, paused_until, warned_at };
}

async function writeStates(db: Database, transaction: Transaction, changed: readonly Judgement[]): Promise<void> {
  const keys = whereKeys(changed.map(({ row }) => row));
  const set = assignments(
    changed,
    ({ row }) => row.id,
    Object.fromEntries(STATE.map((column) => [column, ({ state }: Judgement) => state[column]])),
  );
  const sql = `UPDATE webhook_endpoints SET ${set.sql} WHERE ${keys.sql}`;
  await executeText(db, sql, { ...set.values, ...keys.values }, transaction);
}
