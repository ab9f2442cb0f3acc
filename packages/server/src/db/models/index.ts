import type { Sequelize } from 'sequelize';
import { defineApiKey } from './api-key.model.ts';
import { defineAuditEvent } from './audit-event.model.ts';
import { defineClient } from './client.model.ts';
import { defineDeletedClient } from './deleted-client.model.ts';
import { defineEvent } from './event.model.ts';
import { defineIdempotencyKey } from './idempotency-key.model.ts';
import { defineShardLease } from './shard-lease.model.ts';
import { defineTenant } from './tenant.model.ts';
import { defineWebhookDelivery } from './webhook-delivery.model.ts';
import { defineWebhookEndpoint } from './webhook-endpoint.model.ts';
import { defineWebhookSubscription } from './webhook-subscription.model.ts';

/** Every table of the service, one line each. */
export function defineModels(sequelize: Sequelize) {
  return {
    tenant: defineTenant(sequelize),
    apiKey: defineApiKey(sequelize),
    client: defineClient(sequelize),
    deletedClient: defineDeletedClient(sequelize),
    auditEvent: defineAuditEvent(sequelize),
    event: defineEvent(sequelize),
    webhookEndpoint: defineWebhookEndpoint(sequelize),
    webhookSubscription: defineWebhookSubscription(sequelize),
    webhookDelivery: defineWebhookDelivery(sequelize),
    shardLease: defineShardLease(sequelize),
    idempotencyKey: defineIdempotencyKey(sequelize),
  };
}

export type Models = ReturnType<typeof defineModels>;
