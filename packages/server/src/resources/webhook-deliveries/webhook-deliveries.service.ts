import type { WebhookDelivery, WebhookDeliveryListParams } from '@plat/contract';
import type { Context } from '../../context.ts';
import type { WebhookDeliveryRow } from '../../db/models/webhook-delivery.model.ts';
import { filter, selectPage } from '../../db/page.ts';
import { selectOne } from '../../db/sql.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';

const COLUMNS = [
  'id',
  'event_id',
  'event_type',
  'endpoint_id',
  'attempt',
  'status',
  'response_status',
  'response_body',
  'error',
  'duration_ms',
  'scheduled_at',
  'attempted_at',
  'created_at',
  'updated_at',
] as const;

type DeliveryView = Pick<WebhookDeliveryRow, (typeof COLUMNS)[number]>;

export async function listDeliveries(ctx: Context, params: WebhookDeliveryListParams): Promise<Page<WebhookDelivery>> {
  const { rows, hasMore } = await selectPage<DeliveryView>(ctx.db, {
    table: 'webhook_deliveries',
    columns: COLUMNS,
    kind: 'webhook_delivery',
    tenantId: ctx.tenantId,
    params,
    where: [
      ...filter('event_id', params.event_id),
      ...filter('endpoint_id', params.endpoint_id),
      ...filter('status', params.status),
    ],
  });
  return { data: rows.map(presentDelivery), hasMore };
}

export async function getDelivery(ctx: Context, deliveryId: string): Promise<WebhookDelivery> {
  const row = await selectOne<DeliveryView>(
    ctx.db,
    `SELECT ${COLUMNS.join(', ')} FROM webhook_deliveries WHERE tenant_id = :tenantId AND id = :deliveryId`,
    { tenantId: ctx.tenantId, deliveryId },
  );
  if (!row) throw new ApiError('WEBHOOK_DELIVERY_NOT_FOUND', `There is no delivery ${deliveryId} in the tenant`);
  return presentDelivery(row);
}

function presentDelivery(row: DeliveryView): WebhookDelivery {
  return {
    object: 'webhook_delivery',
    ...row,
    scheduled_at: isoTime(row.scheduled_at),
    attempted_at: isoTimeOrNull(row.attempted_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
