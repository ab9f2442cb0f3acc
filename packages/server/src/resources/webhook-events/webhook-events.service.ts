import type { AnyEventType, EventListParams, PlatformEvent } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { createdBetween, presentPage, selectPage } from '../../db/page.ts';
import { EVENTS, type EventRow } from '../../db/tables/events.ts';
import type { Page } from '../../http/route.ts';

/** @typeParam E the events of the owner, a tenant or an app */
export async function listEvents<E = PlatformEvent>(
  ctx: ReadContext,
  params: Omit<EventListParams, 'type'> & { readonly type?: AnyEventType },
): Promise<Page<E>> {
  const page = await selectPage(ctx.db, {
    table: EVENTS,
    columns: ['payload'],
    kind: 'event',
    tenantId: ctx.tenantId,
    params,
    filters: { object_id: params.object_id, type: params.type },
    between: createdBetween('event', params),
  });
  return presentPage(page, presentEvent<E>);
}

export async function getEvent<E = PlatformEvent>(ctx: ReadContext, eventId: string): Promise<E> {
  const missing = 'WEBHOOK_EVENT_NOT_FOUND';
  const row = await findById(ctx, {
    table: EVENTS,
    columns: ['payload'],
    kind: 'event',
    id: eventId,
    missing,
  });
  return presentEvent<E>(row);
}

/** Returns the event as committed, like its deliveries contain it. */
function presentEvent<E>({ payload }: Pick<EventRow, 'payload'>): E {
  return JSON.parse(payload) as E;
}
