import {
  type AnyEventType,
  type EventType,
  LIMITS,
  timeOfId,
  type WebhookReplayCreateParams,
  type WebhookReplayListParams,
} from '@plat/contract';
import type { ReplayOf } from '../../accounts/owned-webhooks.ts';
import { HIDDEN, presentReplay, type ReplayView } from '../../accounts/present-replay.ts';
import { requireEnabledEndpoint } from '../../accounts/webhook-endpoints.ts';
import type { Caller } from '../../auth/credential.ts';
import type { ReadContext, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import { findById } from '../../db/find.ts';
import { lockOwner } from '../../db/owners.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { columnsExcept } from '../../db/statements.ts';
import { WEBHOOK_REPLAYS, type WebhookReplayRow } from '../../db/tables/webhook-replays.ts';
import { clearMissed, restoreMissed } from '../../events/endpoints/missed-events.ts';
import { addReplay, type Walk } from '../../events/replays/replay-jobs.ts';
import type { Page } from '../../http/route.ts';
import { refusal } from '../../http/validate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';

const VIEW = columnsExcept(WEBHOOK_REPLAYS, HIDDEN);

export async function listReplays<T extends AnyEventType = EventType>(
  ctx: ReadContext,
  params: WebhookReplayListParams,
): Promise<Page<ReplayOf<T>>> {
  const page = await selectPage(ctx.db, {
    table: WEBHOOK_REPLAYS,
    columns: VIEW,
    kind: 'webhook_replay',
    tenantId: ctx.tenantId,
    params,
    filters: { status: params.status, endpoint_id: params.endpoint_id },
  });
  return presentPage(page, presentReplay<T>);
}

export async function getReplay<T extends AnyEventType = EventType>(
  ctx: ReadContext,
  replayId: string,
): Promise<ReplayOf<T>> {
  return presentReplay<T>(await findReplay(ctx, replayId));
}

/** Stores the replay job. Dispatching processes run it. */
export async function createReplay<T extends AnyEventType = EventType>(
  ctx: WriteContext<Caller>,
  input: Omit<WebhookReplayCreateParams, 'event_types'> & { readonly event_types?: readonly T[] },
): Promise<ReplayOf<T>> {
  const { tenantId, now } = ctx;
  const { endpoint_id: endpointId, event_types: types, select: selection = 'undelivered' } = input;
  const since_at = Date.parse(input.since);
  const present = await presentOf(ctx);
  const until_at = Math.min(input.until === undefined ? present : Date.parse(input.until), present);
  refuseEmptyWindow(since_at, until_at, present);
  if (endpointId !== undefined) await requireEnabledEndpoint(ctx, endpointId);
  await refuseOverLimit(ctx);
  const row: ReplayView = {
    id: newId('webhook_replay', now),
    endpoint_id: endpointId ?? null,
    selection,
    since_at,
    until_at,
    event_types: types === undefined ? null : JSON.stringify([...new Set(types)]),
    status: 'pending',
    examined_count: 0,
    scheduled_count: 0,
    total_count: null,
    completed_at: null,
    created_at: now,
    updated_at: now,
  };
  const endpointIds = endpointId === undefined ? await enabledEndpoints(ctx) : [endpointId];
  // Missed events are cleared only by a replay that covers all of them.
  const coversAll = selection !== 'failed' && types === undefined && until_at === present;
  const cleared = coversAll
    ? await clearMissed(ctx.db, ctx.transaction, { tenantId, endpointIds, since: since_at })
    : undefined;
  await addReplay(ctx.db, ctx.transaction, { tenant_id: tenantId, ...row }, endpointIds, cleared);
  await ctx.audit({ action: 'webhook_replay.created', target: { type: 'webhook_replay', id: row.id }, at: now });
  return presentReplay<T>(row);
}

/**
 * Cancels a replay. No more deliveries are scheduled; scheduled ones are sent. Missed events that it has not reached are
 * missed again.
 */
export async function cancelReplay<T extends AnyEventType = EventType>(
  ctx: WriteContext<Caller>,
  replayId: string,
): Promise<ReplayOf<T>> {
  const before = await findReplay(ctx, replayId);
  if (before.status === 'completed' || before.status === 'canceled') {
    throw new ApiError('UNPROCESSABLE', `The replay is ${before.status}: there is nothing left to end`);
  }
  const after: ReplayView = { ...before, status: 'canceled', updated_at: laterThan(before.updated_at, ctx.now) };
  await ctx.db.models.webhookReplay.update(
    { status: after.status, due_at: null, updated_at: after.updated_at },
    { where: { tenant_id: ctx.tenantId, id: replayId }, transaction: ctx.transaction },
  );
  await restoreUnreached(ctx, after);
  const replay = presentReplay<T>(after);
  await ctx.audit({
    action: 'webhook_replay.canceled',
    target: { type: 'webhook_replay', id: replayId },
    changes: changedFields(presentReplay<T>(before), replay),
    at: after.updated_at,
  });
  return replay;
}

/** Reads the progress after the update has locked the job, so that the process that works on it changes it no more. */
async function restoreUnreached({ db, transaction, tenantId }: WriteContext<Caller>, job: ReplayView): Promise<void> {
  const where = { tenant_id: tenantId, id: job.id };
  const row: Pick<WebhookReplayRow, 'walks'> | null = await db.models.webhookReplay.findOne({
    ...{ attributes: ['walks'], where, transaction, lock: true, raw: true },
  });
  for (const { endpoint_id: id, cursor, missed } of JSON.parse(row?.walks ?? '[]') as readonly Walk[]) {
    const from = timeOfId(cursor);
    if (missed && from < job.until_at) await restoreMissed(db, transaction, { tenantId, id }, missed, from);
  }
}

function findReplay(ctx: ReadContext, id: string): Promise<ReplayView> {
  const missing = 'WEBHOOK_REPLAY_NOT_FOUND';
  return findById(ctx, { table: WEBHOOK_REPLAYS, columns: VIEW, kind: 'webhook_replay', id, missing });
}

/**
 * Returns a time after every existing event. An event may be from a process whose clock is ahead, or from this
 * millisecond.
 */
async function presentOf({ db, tenantId, transaction, now }: WriteContext<Caller>): Promise<number> {
  const last: string | null = await db.models.event.max('id', { where: { tenant_id: tenantId }, transaction });
  return last === null ? now : Math.max(now, timeOfId(last) + 1);
}

function refuseEmptyWindow(since: number, until: number, present: number): void {
  if (since >= present) throw refusal('INVALID_BODY', [{ path: 'since', message: 'must be in the past' }]);
  if (until <= since) throw refusal('INVALID_BODY', [{ path: 'until', message: 'must be later than since' }]);
}

async function enabledEndpoints(ctx: WriteContext<Caller>): Promise<string[]> {
  const rows = await ctx.db.models.webhookEndpoint.findAll({
    attributes: ['id'],
    where: { tenant_id: ctx.tenantId, status: 'enabled' },
    order: ['id'],
    transaction: ctx.transaction,
    raw: true,
  });
  return rows.map(({ id }) => id);
}

/** Counts under the lock of the owner's row, so that two requests cannot both be the last one allowed. */
async function refuseOverLimit(ctx: WriteContext<Caller>): Promise<void> {
  await lockOwner(ctx.db, ctx.tenantId, ctx.transaction);
  const { unfinished } = LIMITS.webhookReplays;
  const count = await ctx.db.models.webhookReplay.count({
    where: { tenant_id: ctx.tenantId, status: ['pending', 'running'] },
    transaction: ctx.transaction,
  });
  if (count < unfinished) return;
  throw new ApiError(
    'UNPROCESSABLE',
    `There are ${unfinished} replays that have not ended, which is the most; wait for one to end, or cancel one`,
  );
}
