import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { lockTenant } from '../../db/row-lock.ts';
import { selectOne, usingIndex } from '../../db/sql.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { newId } from '../../kernel/ids.ts';
import { insertDeliveries } from '../outbox/new-deliveries.ts';
import { type Subscriber, subscribersOf } from '../outbox/subscribers.ts';
import { chooseDeliveries } from './replay-choice.ts';
import type { ClaimedReplay, Progress, ReplayJobs, Walk } from './replay-jobs.ts';
import { nextEvents, windowOf } from './replay-window.ts';

/** How many deliveries of an endpoint may be due while a replay adds to them: how far behind it puts a new event. */
export const MAX_DUE = 1_000;
/** Events of a batch, and deliveries of it when it goes to many endpoints. */
const BATCH = 200;
const LEAST_BATCH = 20;
const MAX_DELIVERIES = 1_000;

/** How a job that waits for endpoints is looked at again: the longer nothing has moved the later, within these ms. */
const PAUSE_MS = { least: 250, most: 10_000 };

export interface BatchOptions {
  readonly db: Database;
  readonly jobs: ReplayJobs;
  readonly leaseMs: number;
  /** Endpoint → how many more of its deliveries may be made due; counted when it is not known, or used up. */
  readonly rooms: Map<string, number>;
}

/** What a batch did, and whether the turn goes on. */
export interface BatchResult {
  readonly scheduled: number;
  readonly goesOn: boolean;
}

const TURN_IS_OVER: BatchResult = { scheduled: 0, goesOn: false };

/**
 * Looks at the next events of a job, makes due what it chooses of them, and moves on, in one transaction: whoever dies
 * before the commit has done nothing, and after it the next one goes on behind. The tenant's row is held meanwhile, so that
 * of two jobs over the same events the second one sees what the first has made due.
 *
 * Endpoints walk together as long as they can. One that has too much due stays behind, and catches up to those before it.
 */
export async function runBatch(job: ClaimedReplay, { db, jobs, leaseMs, rooms }: BatchOptions): Promise<BatchResult> {
  const taken = new Map<string, number>();
  const result = await unitOfWork(db, async (transaction) => {
    taken.clear();
    await lockTenant(db, job.tenant_id, transaction);
    const progress = await jobs.read(transaction, job);
    if (!progress) return TURN_IS_OVER;
    const subscribers = await subscribersOf(db, transaction, job.tenant_id);
    // An endpoint that was disabled or deleted meanwhile is in it no more.
    const walks = progress.walks.filter((walk) => subscribers.has(walk.endpoint_id));
    const { now } = progress;
    const window = windowOf(job, now);
    const { upTo: end } = window;
    const open = walks.filter(({ cursor }) => cursor < end);
    const limit = Math.max(LEAST_BATCH, Math.min(BATCH, Math.floor(MAX_DELIVERIES / Math.max(1, open.length))));

    const ready: (Walk & { readonly subscriber: Subscriber })[] = [];
    for (const walk of open) {
      const subscriber = subscribers.get(walk.endpoint_id);
      if (subscriber && (await hasRoom(db, transaction, subscriber, limit, now, rooms)))
        ready.push({ ...walk, subscriber });
    }
    if (open.length > 0 && ready.length === 0) {
      await jobs.putBack(job, pauseOf(progress), transaction);
      return TURN_IS_OVER;
    }
    const cursor = lowest(ready.map((walk) => walk.cursor)) ?? end;
    const group = ready.filter((walk) => walk.cursor === cursor).map(({ subscriber }) => subscriber);
    const ahead = lowest(open.map((walk) => walk.cursor).filter((other) => other > cursor)) ?? end;
    // What is too old by now is passed over.
    const after = cursor > window.after ? cursor : window.after;
    const events = await nextEvents(db, transaction, { ...window, after, upTo: ahead }, limit);
    const chosen = await chooseDeliveries(db, transaction, job.tenant_id, job.selection, events, group);
    const deliveries = chosen.map(({ event, subscriber: { endpointId, shard } }) => {
      taken.set(endpointId, (taken.get(endpointId) ?? 0) + 1);
      const id = newId('webhook_delivery', now);
      return { id, eventId: event.id, type: event.type, endpointId, shard };
    });
    await insertDeliveries(db, transaction, deliveries, { tenantId: job.tenant_id, due: ':at', at: now });

    const next = events.length < limit ? ahead : (events.at(-1)?.id ?? ahead);
    const moved = new Set(group.map(({ endpointId }) => endpointId));
    const moves = walks.map((walk) =>
      moved.has(walk.endpoint_id) ? { ...walk, cursor: next, examined: walk.examined + events.length } : walk,
    );
    const isOver = moves.every((walk) => walk.cursor >= end);
    const counts = {
      // Of endpoints that are in it no more nothing is said: what was counted stays.
      examined: moves.length > 0 ? Math.min(...moves.map((walk) => walk.examined)) : progress.examined,
      scheduled: progress.scheduled + deliveries.length,
    };
    await jobs.save(transaction, job, { ...progress, ...counts, walks: moves }, { isOver, leaseMs });
    return { scheduled: deliveries.length, goesOn: !isOver };
  });
  for (const [endpointId, count] of taken) rooms.set(endpointId, (rooms.get(endpointId) ?? 0) - count);
  return result;
}

async function hasRoom(
  db: Database,
  transaction: Transaction,
  { endpointId, shard }: Subscriber,
  wanted: number,
  now: number,
  rooms: Map<string, number>,
): Promise<boolean> {
  if ((rooms.get(endpointId) ?? 0) < wanted) {
    const row = await selectOne<{ due: number }>(
      db,
      `SELECT COUNT(*) AS due FROM (
         SELECT id FROM webhook_deliveries ${usingIndex(db, 'webhook_deliveries_queue')}
         WHERE queue_shard = :shard AND endpoint_id = :endpointId AND scheduled_at <= :now LIMIT ${MAX_DUE}
       ) batch`,
      { shard, endpointId, now },
      transaction,
    );
    rooms.set(endpointId, MAX_DUE - (row?.due ?? 0));
  }
  return (rooms.get(endpointId) ?? 0) >= wanted;
}

function pauseOf({ now, updatedAt }: Progress): number {
  return Math.max(PAUSE_MS.least, Math.min(PAUSE_MS.most, Math.round((now - updatedAt) / 4)));
}

function lowest(cursors: readonly string[]): string | undefined {
  return cursors.reduce<string | undefined>(
    (low, cursor) => (low === undefined || cursor < low ? cursor : low),
    undefined,
  );
}
