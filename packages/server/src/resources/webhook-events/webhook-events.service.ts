import type { EventListParams, PlatformEvent } from '@plat/contract';
import type { Context } from '../../context.ts';
import { createdBetween, filter, selectPage } from '../../db/page.ts';
import { selectOne } from '../../db/sql.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';

interface PayloadRow {
  readonly payload: string;
}

export async function listEvents(ctx: Context, params: EventListParams): Promise<Page<PlatformEvent>> {
  const { rows, hasMore } = await selectPage<PayloadRow>(ctx.db, {
    table: 'events',
    columns: ['payload'],
    kind: 'event',
    tenantId: ctx.tenantId,
    params,
    where: [...filter('type', params.type), ...createdBetween('event', params)],
  });
  return { data: rows.map(presentEvent), hasMore };
}

export async function getEvent(ctx: Context, eventId: string): Promise<PlatformEvent> {
  const row = await selectOne<PayloadRow>(
    ctx.db,
    'SELECT payload FROM events WHERE tenant_id = :tenantId AND id = :eventId',
    { tenantId: ctx.tenantId, eventId },
  );
  if (!row) throw new ApiError('WEBHOOK_EVENT_NOT_FOUND', `There is no event ${eventId} in the tenant`);
  return presentEvent(row);
}

/** The event as it was committed, which is what its deliveries carry. */
function presentEvent({ payload }: PayloadRow): PlatformEvent {
  return JSON.parse(payload) as PlatformEvent;
}
