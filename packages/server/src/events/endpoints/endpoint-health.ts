import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { forUpdate } from '../../db/row-lock.ts';
import { executeText, selectText } from '../../db/sql.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { DAY_MS, isoTime } from '../../kernel/clock.ts';
import { assignments } from '../outbox/assignments.ts';
import type { Outcome } from '../outbox/outcomes.ts';
import { whereKeys } from '../outbox/queue.ts';
import { failureText } from '../sending/failure.ts';
import { afterFailure, CIRCUIT_COLUMNS, type Circuit, CLOSED_CIRCUIT, FAILURES_TO_OPEN } from './circuit.ts';
import { disableEndpoint } from './disable-endpoint.ts';

/** Notice to the owners of a failing endpoint. */
export interface EndpointNotice {
  /** `disabled`: events are no longer sent. `failing`: deliveries are still attempted. */
  readonly kind: 'disabled' | 'failing';
  readonly tenantId: string;
  readonly endpointId: string;
  readonly url: string;
  /** The `disabled_reason`; null for `failing`. */
  readonly reason: string | null;
  /** Time of the first failed attempt, in ms. */
  readonly failingSince: number;
  /** Result of the last attempt in words: `HTTP status 500`. */
  readonly lastFailure: string;
  /** Time of the first missed event, in ms; null for `failing`. */
  readonly missedSince: number | null;
  /** Time of the notice, in ms. */
  readonly now: number;
}

export interface HealthOptions {
  /** Days of consecutive failures after which an endpoint is disabled; 0: never. */
  readonly failureDays: number;
  /** Notifies the owners in the transaction of the outcomes. It must not throw: the outcomes would not be written. */
  notify(transaction: Transaction, notice: EndpointNotice): Promise<void>;
}

/** The circuit of an endpoint after some outcomes. */
export interface EndpointReport extends Circuit {
  readonly id: string;
  /** Reason for which these outcomes disabled the endpoint; else null. */
  readonly disabledReason: string | null;
}

const WARN_AFTER_MS = DAY_MS;

/**
 * Updates the circuits of endpoints in the transaction of their outcomes; disables endpoints that failed for too long, and
 * notifies their owners.
 */
export async function recordHealth(
  db: Database,
  transaction: Transaction,
  outcomes: readonly Outcome[],
  options: HealthOptions,
): Promise<readonly EndpointReport[]> {
  const byEndpoint = Map.groupBy(outcomes, ({ delivery }) => delivery.endpoint_id);
  const rows = await lockEndpoints(db, transaction, outcomes);
  const judgements = rows.map((row) => judge(row, byEndpoint.get(row.id) ?? [], options.failureDays));
  const changed = judgements.filter(({ row, circuit }) => isChanged(row, circuit));
  if (changed.length > 0) await writeCircuits(db, transaction, changed);
  for (const judgement of judgements) {
    const notice = noticeOf(judgement);
    if (!notice) continue;
    const { row, reason } = judgement;
    if (reason === null) await options.notify(transaction, notice);
    else {
      const missedSince = await disableEndpoint(db, transaction, row, { reason, now: notice.now });
      if (missedSince !== null) await options.notify(transaction, { ...notice, missedSince });
    }
  }
  return judgements.map(({ row, circuit, reason }) => ({ id: row.id, ...circuit, disabledReason: reason }));
}

/** Result of a failed attempt in words. */
function lastFailureOf({ errorClass, answer }: Outcome): string {
  return failureText(errorClass) ?? `HTTP status ${answer?.status}`;
}

type HealthRow = Circuit &
  Pick<WebhookEndpointRow, 'tenant_id' | 'id' | 'url' | 'status' | 'missed_since' | 'missed_until' | 'updated_at'>;

interface Judgement {
  readonly row: HealthRow;
  readonly circuit: Circuit;
  /** Reason to disable the endpoint; null when it stays enabled. */
  readonly reason: string | null;
  readonly last: Outcome | undefined;
}

function lockEndpoints(db: Database, transaction: Transaction, outcomes: readonly Outcome[]): Promise<HealthRow[]> {
  const keys = whereKeys(outcomes.map(({ delivery }) => ({ tenant_id: delivery.tenant_id, id: delivery.endpoint_id })));
  return selectText<HealthRow>(
    db,
    `SELECT tenant_id, id, url, status, missed_since, missed_until, updated_at, ${CIRCUIT_COLUMNS.join(', ')}
     FROM webhook_endpoints WHERE ${keys.sql}${forUpdate(db)}`,
    keys.values,
    transaction,
  );
}

/** Applies outcomes in the order of their ends. Outcomes of a disabled endpoint, and of attempts at a former URL, change nothing. */
function judge(row: HealthRow, outcomes: readonly Outcome[], failureDays: number): Judgement {
  let circuit: Circuit = row;
  let reason: string | null = null;
  let last: Outcome | undefined;
  if (row.status === 'enabled') {
    for (const outcome of outcomes) {
      if (outcome.attemptedAt === null || outcome.delivery.url !== row.url) continue;
      if (outcome.status === 'succeeded') {
        circuit = CLOSED_CIRCUIT;
        last = undefined;
        continue;
      }
      last = outcome;
      circuit = afterFailure(circuit, { attemptedAt: outcome.attemptedAt, endedAt: outcome.endedAt });
      reason = reasonToDisable(circuit, outcome, failureDays);
      if (reason !== null) break;
      if (needsWarning(circuit, outcome)) circuit = { ...circuit, warned_at: outcome.endedAt };
    }
  }
  if (reason !== null) circuit = { ...circuit, pauses: 0, paused_until: null };
  return { row, circuit: circuitOf(circuit), reason, last };
}

function reasonToDisable(circuit: Circuit, outcome: Outcome, failureDays: number): string | null {
  const { consecutive_failures, failing_since } = circuit;
  if (outcome.answer?.status === 410) return 'gone: it answered 410 Gone';
  if (failureDays === 0 || failing_since === null || consecutive_failures < FAILURES_TO_OPEN) return null;
  if (outcome.endedAt - failing_since < failureDays * DAY_MS) return null;
  return `failing: every attempt since ${isoTime(failing_since)} failed, the last with ${lastFailureOf(outcome)}`;
}

function needsWarning({ failing_since, warned_at }: Circuit, { endedAt }: Outcome): boolean {
  return warned_at === null && failing_since !== null && endedAt - failing_since >= WARN_AFTER_MS;
}

function noticeOf({ row, circuit, reason, last }: Judgement): EndpointNotice | null {
  const isWarning = circuit.warned_at !== null && row.warned_at === null;
  if (!last || (reason === null && !isWarning)) return null;
  return {
    kind: reason === null ? 'failing' : 'disabled',
    tenantId: row.tenant_id,
    endpointId: row.id,
    url: row.url,
    reason,
    failingSince: circuit.failing_since ?? last.endedAt,
    lastFailure: lastFailureOf(last),
    missedSince: null,
    now: last.endedAt,
  };
}

function isChanged(row: HealthRow, circuit: Circuit): boolean {
  return CIRCUIT_COLUMNS.some((column) => row[column] !== circuit[column]);
}

function circuitOf({ consecutive_failures, failing_since, pauses, paused_until, warned_at }: Circuit): Circuit {
  return { consecutive_failures, failing_since, pauses, paused_until, warned_at };
}

async function writeCircuits(db: Database, transaction: Transaction, changed: readonly Judgement[]): Promise<void> {
  const keys = whereKeys(changed.map(({ row }) => row));
  const set = assignments(
    changed,
    ({ row }) => row.id,
    Object.fromEntries(CIRCUIT_COLUMNS.map((column) => [column, ({ circuit }: Judgement) => circuit[column]])),
  );
  const sql = `UPDATE webhook_endpoints SET ${set.sql} WHERE ${keys.sql}`;
  await executeText(db, sql, { ...set.values, ...keys.values }, transaction);
}
