import type { Transaction } from 'sequelize';
import { afterCommit } from '../../db/after-commit.ts';
import type { Database } from '../../db/database.ts';
import { lockOwner } from '../../db/owners.ts';
import { selectOne, usingIndex } from '../../db/sql.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { newId } from '../../kernel/ids.ts';
import { count } from '../../kernel/meter.ts';
import { insertDeliveries } from '../outbox/new-deliveries.ts';
import { type Subscriber, subscribersOf } from '../outbox/subscribers.ts';
import { chooseDeliveries } from './replay-choice.ts';
import type { ClaimedReplay, Progress, ReplayJobs, Walk } from './replay-jobs.ts';
import { nextEvents, windowOf } from './replay-window.ts';

/** Maximum number of due deliveries of an endpoint while a replay adds to them: it bounds the delay of a new event. */
export const MAX_DUE = 1_000;
/** Bounds of a batch: events, and deliveries when there are many endpoints. */
const BATCH = 200;
const MIN_BATCH = 20;
const MAX_DELIVERIES = 1_000;

/** Bounds of the back-off of a job that waits for endpoints, in ms. It grows with the time without progress. */
const BACK_OFF_MS = { min: 250, max: 10_000 };

export interface BatchOptions {
  readonly db: Database;
  readonly jobs: ReplayJobs;
  readonly leaseMs: number;
  /** Endpoint → number of further deliveries that may be made due. Counted again when it is used up. */
  readonly allowances: Map<string, number>;
}

/**
 * Reads the next events of a job, makes the chosen deliveries due and saves the progress, in one transaction: a process that
 * is killed leaves a whole batch or none. The owner's row is locked, so that the second of two jobs over the same events sees
 * the deliveries of the first.
 *
 * Endpoints advance together where possible. An endpoint with too many due deliveries stays behind and catches up later.
 * Resolves to false when the job ended or was put back.
 */
export async function runBatch(job: ClaimedReplay, { db, jobs, leaseMs, allowances }: BatchOptions): Promise<boolean> {
  const taken = new Map<string, number>();
  const continues = await unitOfWork(db, async (transaction) => {
    taken.clear();
    await lockOwner(db, job.tenant_id, transaction);
    const progress = await jobs.read(transaction, job);
    if (!progress) return false;
    const subscribers = await subscribersOf(db, transaction, job.tenant_id);
    // Endpoints that were disabled or deleted meanwhile are left out.
    const walks = progress.walks.filter((walk) => subscribers.has(walk.endpoint_id));
    const { now } = progress;
    const window = windowOf(job, now);
    const { upTo: end } = window;
    const open = walks.filter(({ cursor }) => cursor < end);
    const limit = Math.max(MIN_BATCH, Math.min(BATCH, Math.floor(MAX_DELIVERIES / Math.max(1, open.length))));

    const ready: (Walk & { readonly subscriber: Subscriber })[] = [];
    for (const walk of open) {
      const subscriber = subscribers.get(walk.endpoint_id);
      if (subscriber && (await hasAllowance(db, transaction, subscriber, limit, now, allowances)))
        ready.push({ ...walk, subscriber });
    }
    if (open.length > 0 && ready.length === 0) {
      await jobs.release(job, backOffMs(progress), transaction);
      return false;
    }
    const cursor = lowest(ready.map((walk) => walk.cursor)) ?? end;
    const group = ready.filter((walk) => walk.cursor === cursor).map(({ subscriber }) => subscriber);
    const ahead = lowest(open.map((walk) => walk.cursor).filter((other) => other > cursor)) ?? end;
    // Events that became too old meanwhile are skipped.
    const after = cursor > window.after ? cursor : window.after;
    const events = await nextEvents(db, transaction, { ...window, after, upTo: ahead }, limit);
    const chosen = await chooseDeliveries(db, transaction, job.tenant_id, job.selection, events, group);
    const deliveries = chosen.map(({ event, subscriber: { endpointId, shard } }) => {
      taken.set(endpointId, (taken.get(endpointId) ?? 0) + 1);
      const id = newId('webhook_delivery', now);
      return { id, eventId: event.id, type: event.type, endpointId, shard };
    });
    await insertDeliveries(db, transaction, deliveries, {
      tenantId: job.tenant_id,
      due: ':at',
      at: now,
      replayedBy: job.id,
    });

    afterCommit(transaction, () => count('plat_replay_examined_total', {}, events.length));
    const next = events.length < limit ? ahead : (events.at(-1)?.id ?? ahead);
    const moved = new Set(group.map(({ endpointId }) => endpointId));
    const moves = walks.map((walk) =>
      moved.has(walk.endpoint_id) ? { ...walk, cursor: next, examined: walk.examined + events.length } : walk,
    );
    const isOver = moves.every((walk) => walk.cursor >= end);
    const counts = {
      // Without endpoints the count stays.
      examined: moves.length > 0 ? Math.min(...moves.map((walk) => walk.examined)) : progress.examined,
      scheduled: progress.scheduled + deliveries.length,
    };
    await jobs.save(transaction, job, { ...progress, ...counts, walks: moves }, { isOver, leaseMs });
    return !isOver;
  });
  for (const [endpointId, count] of taken) allowances.set(endpointId, (allowances.get(endpointId) ?? 0) - count);
  return continues;
}

async function hasAllowance(
  db: Database,
  transaction: Transaction,
  { endpointId, shard }: Subscriber,
  wanted: number,
  now: number,
  allowances: Map<string, number>,
): Promise<boolean> {
  if ((allowances.get(endpointId) ?? 0) < wanted) {
    const row = await selectOne<{ due: number }>(
      db,
      `SELECT COUNT(*) AS due FROM (
         SELECT id FROM webhook_deliveries ${usingIndex(db, 'webhook_deliveries_queue')}
         WHERE queue_shard = :shard AND endpoint_id = :endpointId AND scheduled_at <= :now LIMIT ${MAX_DUE}
       ) batch`,
      { shard, endpointId, now },
      transaction,
    );
    allowances.set(endpointId, MAX_DUE - (row?.due ?? 0));
  }
  return (allowances.get(endpointId) ?? 0) >= wanted;
}

function backOffMs({ now, updatedAt }: Progress): number {
  return Math.max(BACK_OFF_MS.min, Math.min(BACK_OFF_MS.max, Math.round((now - updatedAt) / 4)));
}

function lowest(cursors: readonly string[]): string | undefined {
  return cursors.reduce<string | undefined>(
    (low, cursor) => (low === undefined || cursor < low ? cursor : low),
    undefined,
  );
}
