import { RETRY_DELAYS_SECONDS, type WebhookDeliveryErrorClass } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { executeText, type SqlValues } from '../../db/sql.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { newId } from '../../kernel/ids.ts';
import type { Answer } from '../sending/answer.ts';
import { failureText } from '../sending/failure.ts';
import { assignments } from './assignments.ts';
import { type LoadedDelivery, whereKeys } from './queue.ts';
import { retryAfterMs } from './retry-after.ts';

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

/** Whether it says of the endpoint that it fails. */
export function isFailure({ status, attemptedAt }: Pick<Outcome, 'status' | 'attemptedAt'>): boolean {
  return attemptedAt !== null && status !== 'succeeded';
}

/** Learns from outcomes how endpoints fare. */
export interface EndpointWatch {
  /** Whether an endpoint's next success is news. */
  isFailing(delivery: LoadedDelivery): boolean;
  /** Writes what attempts say of their endpoints, in the transaction of their outcomes. Resolves to what to do after the commit. */
  record(transaction: Transaction, outcomes: readonly Outcome[]): Promise<() => void>;
}

/** How long a delivery that cannot be attempted waits for its turn, in ms. */
const POSTPONED_MS = 60_000;

/**
 * Writes outcomes, of rows that are still pending and under leases that are still ours: a dispatcher that was thought
 * dead and comes back changes nothing. Resolves to how many were written. Writing the same ones again is harmless.
 * Successes of endpoints that do not fail are one statement.
 */
export async function writeOutcomes(
  db: Database,
  owner: string,
  given: readonly Outcome[],
  watch: EndpointWatch,
): Promise<number> {
  const outcomes = withoutSuperseded(given);
  const news = newsOf(outcomes, watch);
  const ends = outcomes.filter((outcome) => outcome.status !== 'pending' && !news.includes(outcome));
  const postponed = outcomes.filter(({ status }) => status === 'pending');
  let written = 0;
  if (ends.length > 0) written += await settle(db, owner, ends, null);
  if (news.length > 0) written += await settleNews(db, owner, news, watch);
  if (postponed.length > 0) written += await postpone(db, owner, postponed);
  return written;
}

/** Failed attempts, and all others at endpoints that fail: what is not only the end of a delivery. */
function newsOf(outcomes: readonly Outcome[], watch: EndpointWatch): Outcome[] {
  const attempted = outcomes.filter(({ attemptedAt }) => attemptedAt !== null);
  const news = attempted.filter((outcome) => isFailure(outcome) || watch.isFailing(outcome.delivery));
  const endpoints = new Set(news.map(({ delivery }) => delivery.endpoint_id));
  return attempted.filter(({ delivery }) => endpoints.has(delivery.endpoint_id));
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
  const set = assignments(outcomes, idOf, {
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

/** The end of an attempt, the next attempt's row and what follows for the endpoint are one change: none without the others. */
async function settleNews(
  db: Database,
  owner: string,
  outcomes: readonly Outcome[],
  watch: EndpointWatch,
): Promise<number> {
  const writeAll = async (group: readonly Outcome[]): Promise<boolean> => {
    const afterwards = await unitOfWork(db, async (tx) => {
      const settled = await settle(db, owner, group, tx);
      if (settled === 0) return null;
      if (settled < group.length) throw new SomeWereNotOurs();
      const retries = group.filter(({ status }) => status === 'retrying');
      if (retries.length > 0) await insertNextAttempts(db, retries, tx);
      return watch.record(tx, group);
    });
    afterwards?.();
    return afterwards !== null;
  };
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
  const rows = outcomes.map(({ delivery, endedAt, answer }, index) => {
    const next = {
      tenant: delivery.tenant_id,
      // Behind the attempt before it in the list, though the clock that made that one's id may be a little ahead.
      id: newId('webhook_delivery', Math.max(endedAt, delivery.scheduled_at + 1)),
      event: delivery.event_id,
      type: delivery.event_type,
      endpoint: delivery.endpoint_id,
      attempt: delivery.attempt + 1,
      shard: delivery.queue_shard,
      due: endedAt + Math.max(delayMs(delivery.attempt), answer === null ? 0 : retryAfterMs(answer, endedAt)),
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

/** Between an attempt and the next one: the endpoint may ask for more time, never for less. */
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

function idOf({ delivery }: Outcome): string {
  return delivery.id;
}
