import type { AnyEventType, EventType, WebhookDeliveryListParams } from '@plat/contract';
import type { DeliveryOf } from '../../accounts/owned-webhooks.ts';
import { DELIVERY_VIEW, presentDelivery } from '../../accounts/present-delivery.ts';
import type { ReadContext } from '../../context.ts';
import type { Database } from '../../db/database.ts';
import { findById } from '../../db/find.ts';
import { type Condition, createdBetween, presentPage, selectPage } from '../../db/page.ts';
import { usingIndex } from '../../db/sql.ts';
import { WEBHOOK_DELIVERIES } from '../../db/tables/webhook-deliveries.ts';
import type { Page } from '../../http/route.ts';

/**
 * Selects attempts whose next attempt is pending. An attempt keeps the status `retrying` permanently, but the filter
 * `retrying` must not return attempts whose event was delivered long ago.
 */
function awaitsRetry(db: Database): Condition {
  // A scalar subquery: a database could turn EXISTS into a join, in the order of the other table.
  const sql = `(SELECT 1 FROM webhook_deliveries retry ${usingIndex(db, 'webhook_deliveries_event')}
    WHERE retry.tenant_id = webhook_deliveries.tenant_id
    AND retry.event_id = webhook_deliveries.event_id AND retry.endpoint_id = webhook_deliveries.endpoint_id
    AND retry.attempt = webhook_deliveries.attempt + 1 AND retry.status = 'pending' LIMIT 1) IS NOT NULL`;
  return { sql, values: {} };
}

export async function listDeliveries<T extends AnyEventType = EventType>(
  ctx: ReadContext,
  params: WebhookDeliveryListParams,
): Promise<Page<DeliveryOf<T>>> {
  const page = await selectPage(ctx.db, {
    table: WEBHOOK_DELIVERIES,
    columns: DELIVERY_VIEW,
    kind: 'webhook_delivery',
    tenantId: ctx.tenantId,
    params,
    filters: { event_id: params.event_id, endpoint_id: params.endpoint_id, status: params.status },
    between: createdBetween('webhook_delivery', params),
    where: params.status === 'retrying' ? [awaitsRetry(ctx.db)] : [],
  });
  return presentPage(page, presentDelivery<T>);
}

export async function getDelivery<T extends AnyEventType = EventType>(
  ctx: ReadContext,
  id: string,
): Promise<DeliveryOf<T>> {
  const missing = 'WEBHOOK_DELIVERY_NOT_FOUND';
  return presentDelivery<T>(
    await findById(ctx, { table: WEBHOOK_DELIVERIES, columns: DELIVERY_VIEW, kind: 'webhook_delivery', id, missing }),
  );
}
