import type { EventListParams, PlatformEvent } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { createdBetween, presentPage, selectPage } from '../../db/page.ts';
import { EVENTS, type EventRow } from '../../db/tables/events.ts';
import type { Page } from '../../http/route.ts';

export async function listEvents(ctx: ReadContext, params: EventListParams): Promise<Page<PlatformEvent>> {
  const page = await selectPage(ctx.db, {
    table: EVENTS,
    columns: ['payload'],
    kind: 'event',
    tenantId: ctx.tenantId,
    params,
    filters: { object_id: params.object_id, type: params.type },
    between: createdBetween('event', params),
  });
  return presentPage(page, presentEvent);
}

export async function getEvent(ctx: ReadContext, eventId: string): Promise<PlatformEvent> {
  const missing = 'WEBHOOK_EVENT_NOT_FOUND';
  const row = await findById(ctx, {
    table: EVENTS,
    columns: ['payload'],
    kind: 'event',
    id: eventId,
    missing,
  });
  return presentEvent(row);
}

/** Returns the event as committed, like its deliveries contain it. */
function presentEvent({ payload }: Pick<EventRow, 'payload'>): PlatformEvent {
  return JSON.parse(payload) as PlatformEvent;
}
