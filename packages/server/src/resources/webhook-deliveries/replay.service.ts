import type { AnyEventType, EventReplayParams, EventType, List } from '@plat/contract';
import type { DeliveryOf } from '../../accounts/owned-webhooks.ts';
import { requireEnabledEndpoint } from '../../accounts/webhook-endpoints.ts';
import type { Change } from '../../change.ts';
import { findById } from '../../db/find.ts';
import { EVENTS } from '../../db/tables/events.ts';
import { scheduleReplay } from '../../events/replays/replay.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { getDelivery } from './webhook-deliveries.service.ts';

/**
 * Replays an event as committed, from attempt 1: to one endpoint, or to all that currently subscribe to its type.
 * @param url path of the request
 */
export async function replayEvent<T extends AnyEventType = EventType>(
  ctx: Change,
  eventId: string,
  { endpoint_id: endpointId }: EventReplayParams,
  url = `/v1/webhooks/events/${eventId}/replay`,
): Promise<List<DeliveryOf<T>>> {
  const event = await findById(ctx, {
    table: EVENTS,
    columns: ['type'],
    kind: 'event',
    id: eventId,
    missing: 'WEBHOOK_EVENT_NOT_FOUND',
  });
  if (endpointId !== undefined) await requireEnabledEndpoint(ctx, endpointId);
  const { tenantId, now, requestId } = ctx;
  const replay = { tenantId, id: eventId, type: event.type, endpointId, now, requestId };
  const ids = await scheduleReplay(ctx.db, ctx.transaction, replay);
  if (endpointId !== undefined && ids.length === 0) {
    throw new ApiError('UNPROCESSABLE', `The endpoint does not subscribe to events of type ${event.type}`);
  }
  const data: DeliveryOf<T>[] = [];
  for (const id of ids) data.push(await getDelivery<T>(ctx, id));
  await ctx.audit({
    action: 'event.replayed',
    target: { type: 'event', id: eventId },
    changes: { endpoint_ids: { before: null, after: data.map(({ endpoint_id }) => endpoint_id) } },
    at: now,
  });
  return { object: 'list', data, has_more: false, url };
}
