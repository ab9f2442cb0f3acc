import { RETRY_DELAYS_SECONDS, type WebhookDeliveryErrorClass } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { executeText, type SqlValues } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { newId } from '../kernel/ids.ts';
import type { Answer } from './answer.ts';
import { failureText } from './failure.ts';
import { type LoadedDelivery, whereKeys } from './queue.ts';

/** What came of a delivery, and what becomes of its row. */
export interface Outcome {
  readonly delivery: LoadedDelivery;
  /** The fence: under which token of its shard's lease it was sent. */
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

/** How long a delivery that cannot be attempted waits for its turn, in ms. */
const POSTPONED_MS = 60_000;

/**
 * Writes outcomes, of rows that are still pending and under leases that are still ours: a dispatcher that was thought
 * dead and comes back changes nothing. Resolves to how many were written. Writing the same ones again is harmless.
 */
export async function writeOutcomes(db: Database, owner: string, given: readonly Outcome[]): Promise<number> {
  const outcomes = withoutSuperseded(given);
  const ends = outcomes.filter(({ status }) => status === 'succeeded' || status === 'failed');
  const retries = outcomes.filter(({ status }) => status === 'retrying');
  const postponed = outcomes.filter(({ status }) => status === 'pending');
  let written = 0;
  if (ends.length > 0) written += await settle(db, owner, ends, null);
  if (retries.length > 0) written += await settleAndRetry(db, owner, retries);
  if (postponed.length > 0) written += await postpone(db, owner, postponed);
  return written;
}

/** Where a shard was lost and won again in between, only what was sent since then counts. */
function withoutSuperseded(outcomes: readonly Outcome[]): Outcome[] {
  const latest = new Map<number, number>();
  for (const { delivery, token } of outcomes) {
    latest.set(delivery.queue_shard, Math.max(token, latest.get(delivery.queue_shard) ?? 0));
  }
  return outcomes.filter(({ delivery, token }) => token === latest.get(delivery.queue_shard));
}

function settle(db: Database, owner: string, outcomes: readonly Outcome[], tx: Transaction | null): Promise<number> {
  const fence = fenced(owner, outcomes);
  const set = assignments(outcomes, {
    status: ({ status }) => status,
    attempted_at: ({ attemptedAt }) => attemptedAt,
    response_status: ({ answer }) => answer?.status ?? null,
    response_headers: ({ answer }) => (answer?.headers ? JSON.stringify(answer.headers) : null),
    response_body: ({ answer }) => answer?.body ?? null,
    error_class: ({ errorClass }) => errorClass,
    error: ({ errorClass }) => failureText(errorClass),
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

/** The end of an attempt and the next attempt's row are one change: neither can be without the other. */
async function settleAndRetry(db: Database, owner: string, outcomes: readonly Outcome[]): Promise<number> {
  const writeAll = (group: readonly Outcome[]): Promise<boolean> =>
    unitOfWork(db, async (tx) => {
      const settled = await settle(db, owner, group, tx);
      if (settled === group.length) await insertNextAttempts(db, group, tx);
      else if (settled > 0) throw new SomeWereNotOurs();
      return settled > 0;
    });
  try {
    return (await writeAll(outcomes)) ? outcomes.length : 0;
  } catch (error) {
    if (!(error instanceof SomeWereNotOurs)) throw error;
  }
  let written = 0;
  for (const outcome of outcomes) if (await writeAll([outcome])) written++;
  return written;
}

/** Rolls a batch back: which rows were changed is not told, so they are written one by one. */
class SomeWereNotOurs extends Error {}

async function insertNextAttempts(db: Database, outcomes: readonly Outcome[], tx: Transaction): Promise<void> {
  const values: Record<string, string | number> = {};
  const rows = outcomes.map(({ delivery, endedAt }, index) => {
    const next = {
      tenant: delivery.tenant_id,
      // Behind the attempt before it in the list, though the clock that made that one's id may be a little ahead.
      id: newId('webhook_delivery', Math.max(endedAt, delivery.scheduled_at + 1)),
      event: delivery.event_id,
      type: delivery.event_type,
      endpoint: delivery.endpoint_id,
      attempt: delivery.attempt + 1,
      shard: delivery.queue_shard,
      due: endedAt + (RETRY_DELAYS_SECONDS[delivery.attempt - 1] ?? 0) * 1000,
      now: endedAt,
    };
    for (const [name, value] of Object.entries(next)) values[`${name}${index}`] = value;
    const [tenant, id, event, type, endpoint, attempt, shard, due, now] = Object.keys(next).map(
      (name) => `:${name}${index}`,
    );
    return `(${tenant}, ${id}, ${event}, ${type}, ${endpoint}, ${attempt}, 'pending', ${shard}, ${due}, ${now}, ${now})`;
  });
  await executeText(
    db,
    `INSERT INTO webhook_deliveries
       (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard, scheduled_at, created_at, updated_at)
     VALUES ${rows.join(', ')}`,
    values,
    tx,
  );
}

function postpone(db: Database, owner: string, outcomes: readonly Outcome[]): Promise<number> {
  const fence = fenced(owner, outcomes);
  const set = assignments(outcomes, {
    scheduled_at: ({ endedAt }) => endedAt + POSTPONED_MS,
    updated_at: ({ endedAt }) => endedAt,
  });
  const sql = `UPDATE webhook_deliveries SET ${set.sql} WHERE ${fence.sql}`;
  return executeText(db, sql, { ...set.values, ...fence.values });
}

/** The rows by their keys, as long as they are pending and their shards' leases are those they were sent under. */
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

type Value = string | number | null;

/** `column = …` for rows that differ: by id where they do, plainly where all have the same. */
function assignments(
  outcomes: readonly Outcome[],
  columns: Readonly<Record<string, (outcome: Outcome) => Value>>,
): { readonly sql: string; readonly values: SqlValues } {
  const values: Record<string, Value | string[]> = {};
  const sql = Object.entries(columns).map(([column, valueIn]) => {
    const byValue = [...Map.groupBy(outcomes, valueIn)];
    const cases = byValue.map(([value, group], index) => {
      values[`${column}${index}`] = value;
      if (byValue.length === 1) return `:${column}0`;
      values[`${column}_ids${index}`] = group.map(({ delivery }) => delivery.id);
      return `WHEN id IN (:${column}_ids${index}) THEN :${column}${index}`;
    });
    return `${column} = ${byValue.length === 1 ? cases.join('') : `CASE ${cases.join(' ')} END`}`;
  });
  return { sql: sql.join(', '), values };
}
