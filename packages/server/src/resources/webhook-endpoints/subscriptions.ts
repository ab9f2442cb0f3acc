import type { AnyEventType } from '@plat/contract';
import type { EndpointOf } from '../../accounts/owned-webhooks.ts';
import type { Caller } from '../../auth/credential.ts';
import type { WriteContext } from '../../context.ts';
import { SHARDS } from '../../events/outbox/outbox.ts';
import { removeSubscriptions } from '../../events/outbox/subscriptions.ts';
import { shardOf } from '../../kernel/ids.ts';

/** Stores the subscriptions of an endpoint: none while it is disabled. */
export async function replaceSubscriptions(
  ctx: WriteContext<Caller>,
  endpoint: EndpointOf<AnyEventType>,
): Promise<void> {
  await removeSubscriptions(ctx.db, ctx.transaction, { tenantId: ctx.tenantId, endpointId: endpoint.id });
  if (endpoint.status === 'disabled') return;
  // With `*`, further types would each cause a second delivery.
  const types = endpoint.events.includes('*') ? ['*' as const] : [...new Set(endpoint.events)];
  await ctx.db.models.webhookSubscription.bulkCreate(
    types.map((type) => ({
      tenant_id: ctx.tenantId,
      event_type: type,
      endpoint_id: endpoint.id,
      shard: shardOf(endpoint.id, SHARDS),
    })),
    { transaction: ctx.transaction },
  );
}
