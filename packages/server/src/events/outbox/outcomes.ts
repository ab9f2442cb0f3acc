import { RETRY_DELAYS_SECONDS, type WebhookDeliveryErrorClass } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { executeText, type SqlValues } from '../../db/sql.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { newId } from '../../kernel/ids.ts';
import type { Answer } from '../sending/answer.ts';
import { failureText } from '../sending/failure.ts';
import { startsOfSignature } from '../sending/headers.ts';
import { assignments } from './assignments.ts';
import { INSERT_PENDING } from './new-deliveries.ts';
import { type LoadedDelivery, whereKeys } from './queue.ts';
import { retryAfterMs } from './retry-after.ts';

/** Result of a delivery, and the next state of its row. */
export interface Outcome {
  readonly delivery: LoadedDelivery;
  /** Fencing token of the shard's lease under which it was sent. */
  readonly token: number;
  /** `retrying`: another attempt follows. `pending`: not attempted, due again later. */
  readonly status: 'succeeded' | 'retrying' | 'failed' | 'pending';
  /** null when nothing was sent. */
  readonly attemptedAt: number | null;
  readonly endedAt: number;
  /** null unless it failed. */
  readonly errorClass: WebhookDeliveryErrorClass | null;
  /** null when nothing was sent. */
  readonly answer: Answer | null;
}

/** True when the endpoint was contacted and did not accept the delivery. */
export function isFailure({ status, attemptedAt }: Pick<Outcome, 'status' | 'attemptedAt'>): boolean {
  return attemptedAt !== null && status !== 'succeeded';
}

/** Updates the circuits of endpoints from the outcomes of their deliveries. */
export interface HealthRecorder {
  /** True when the endpoint's circuit has failures, so that a success changes it too. */
  isFailing(delivery: LoadedDelivery): boolean;
  /** Writes the circuits in the transaction of the outcomes. Resolves to a function to call after the commit. */
  record(transaction: Transaction, outcomes: readonly Outcome[]): Promise<() => void>;
}

/** Time after which a postponed delivery is due again, in ms. */
const POSTPONED_MS = 60_000;

/**
 * Writes outcomes of rows that are still pending, under leases that are still held: a dispatcher whose shards were taken
 * over changes nothing. Resolves to the number written. Idempotent. Successes of healthy endpoints are one statement.
 */
export async function writeOutcomes(
  db: Database,
  owner: string,
  given: readonly Outcome[],
  health: HealthRecorder,
): Promise<number> {
  const outcomes = withoutSuperseded(given);
  const changing = withHealthChange(outcomes, health);
  const others = outcomes.filter((outcome) => outcome.status !== 'pending' && !changing.includes(outcome));
  const postponed = outcomes.filter(({ status }) => status === 'pending');
  let written = 0;
  if (others.length > 0) written += await settle(db, owner, others, null);
  if (changing.length > 0) written += await settleWithHealth(db, owner, changing, health);
  if (postponed.length > 0) written += await postpone(db, owner, postponed);
  return written;
}

/** Selects the outcomes that change a circuit: failed attempts, and all other attempts at the same endpoints. */
function withHealthChange(outcomes: readonly Outcome[], health: HealthRecorder): Outcome[] {
  const attempted = outcomes.filter(({ attemptedAt }) => attemptedAt !== null);
  const changing = attempted.filter((outcome) => isFailure(outcome) || health.isFailing(outcome.delivery));
  const endpoints = new Set(changing.map(({ delivery }) => delivery.endpoint_id));
  return attempted.filter(({ delivery }) => endpoints.has(delivery.endpoint_id));
}

/** When a shard was lost and taken again in between, only deliveries sent under the latest token count. */
function withoutSuperseded(outcomes: readonly Outcome[]): Outcome[] {
  const latest = new Map<number, number>();
  for (const { delivery, token } of outcomes) {
    latest.set(delivery.queue_shard, Math.max(token, latest.get(delivery.queue_shard) ?? 0));
  }
  return outcomes.filter(({ delivery, token }) => token === latest.get(delivery.queue_shard));
}

function settle(db: Database, owner: string, outcomes: readonly Outcome[], tx: Transaction | null): Promise<number> {
  const fence = fenced(owner, outcomes);
  const set = assignments(outcomes, idOf, {
    status: ({ status }) => status,
    attempted_at: ({ attemptedAt }) => attemptedAt,
    response_status: ({ answer }) => answer?.status ?? null,
    response_headers: ({ answer }) => (answer?.headers ? JSON.stringify(answer.headers) : null),
    response_body: ({ answer }) => answer?.body ?? null,
    error_class: ({ errorClass }) => errorClass,
    error: ({ errorClass }) => failureText(errorClass),
    // Successes share one value, so that a batch of them stays one short statement.
    signature_starts: ({ answer, errorClass }) =>
      errorClass !== null && answer?.signature ? startsOfSignature(answer.signature) : null,
    remote_address: ({ answer }) => answer?.remoteAddress ?? null,
    duration_ms: ({ answer }) => answer?.durationMs ?? null,
    dns_ms: ({ answer }) => answer?.timings.dnsMs ?? null,
    connect_ms: ({ answer }) => answer?.timings.connectMs ?? null,
    tls_ms: ({ answer }) => answer?.timings.tlsMs ?? null,
    first_byte_ms: ({ answer }) => answer?.timings.firstByteMs ?? null,
    updated_at: ({ endedAt }) => endedAt,
  });
  const sql = `UPDATE webhook_deliveries SET ${set.sql}, queue_shard = NULL WHERE ${fence.sql}`;
  return executeText(db, sql, { ...set.values, ...fence.values }, tx);
}

/** Writes the outcome, the row of the next attempt and the endpoint's circuit in one transaction. */
async function settleWithHealth(
  db: Database,
  owner: string,
  outcomes: readonly Outcome[],
  health: HealthRecorder,
): Promise<number> {
  const writeAll = async (group: readonly Outcome[]): Promise<boolean> => {
    const afterCommit = await unitOfWork(db, async (tx) => {
      const settled = await settle(db, owner, group, tx);
      if (settled === 0) return null;
      if (settled < group.length) throw new PartlyRefusedError();
      const retries = group.filter(({ status }) => status === 'retrying');
      if (retries.length > 0) await insertNextAttempts(db, retries, tx);
      return health.record(tx, group);
    });
    afterCommit?.();
    return afterCommit !== null;
  };
  try {
    return (await writeAll(outcomes)) ? outcomes.length : 0;
  } catch (error) {
    if (!(error instanceof PartlyRefusedError)) throw error;
  }
  let written = 0;
  for (const outcome of outcomes) if (await writeAll([outcome])) written++;
  return written;
}

/** Rolls a batch back. The database does not return which rows were refused, so they are written one by one. */
class PartlyRefusedError extends Error {}

async function insertNextAttempts(db: Database, outcomes: readonly Outcome[], tx: Transaction): Promise<void> {
  const values: Record<string, string | number> = {};
  const rows = outcomes.map(({ delivery, endedAt, answer }, index) => {
    // The id, which begins with this time, sorts after the previous attempt even if the clock that made that id was ahead.
    const createdAt = Math.max(endedAt, delivery.scheduled_at + 1);
    const next = {
      tenant: delivery.tenant_id,
      id: newId('webhook_delivery', createdAt),
      event: delivery.event_id,
      type: delivery.event_type,
      endpoint: delivery.endpoint_id,
      attempt: delivery.attempt + 1,
      shard: delivery.queue_shard,
      due: endedAt + Math.max(delayMs(delivery.attempt), answer === null ? 0 : retryAfterMs(answer, endedAt)),
      created: createdAt,
    };
    for (const [name, value] of Object.entries(next)) values[`${name}${index}`] = value;
    const [tenant, id, event, type, endpoint, attempt, shard, due, created] = Object.keys(next).map(
      (name) => `:${name}${index}`,
    );
    return `(${tenant}, ${id}, ${event}, ${type}, ${endpoint}, ${attempt}, 'pending', ${shard}, ${due}, ${created}, ${created})`;
  });
  await executeText(db, `${INSERT_PENDING} VALUES ${rows.join(', ')}`, values, tx);
}

/** Delay before the next attempt. `Retry-After` may lengthen it, never shorten it. */
function delayMs(attempt: number): number {
  return (RETRY_DELAYS_SECONDS[attempt - 1] ?? 0) * 1000;
}

function postpone(db: Database, owner: string, outcomes: readonly Outcome[]): Promise<number> {
  const fence = fenced(owner, outcomes);
  const set = assignments(outcomes, idOf, {
    scheduled_at: ({ endedAt }) => endedAt + POSTPONED_MS,
    updated_at: ({ endedAt }) => endedAt,
  });
  const sql = `UPDATE webhook_deliveries SET ${set.sql} WHERE ${fence.sql}`;
  return executeText(db, sql, { ...set.values, ...fence.values });
}

/** Selects pending rows by their keys, while the leases of their shards have the tokens they were sent under. */
function fenced(owner: string, outcomes: readonly Outcome[]): { readonly sql: string; readonly values: SqlValues } {
  const keys = whereKeys(outcomes.map(({ delivery }) => delivery));
  const tokens = new Map(outcomes.map(({ delivery, token }) => [delivery.queue_shard, token]));
  const cases = [...tokens].map(([shard, token]) => `WHEN ${shard} THEN ${token}`);
  return {
    sql: `${keys.sql} AND status = 'pending' AND EXISTS (
      SELECT 1 FROM shard_leases l
      WHERE l.shard = webhook_deliveries.queue_shard AND l.owner = :owner AND l.token = CASE l.shard ${cases.join(' ')} END
    )`,
    values: { ...keys.values, owner },
  };
}

function idOf({ delivery }: Outcome): string {
  return delivery.id;
}
