import type { Migration } from './columns.ts';

export const eventsAndWebhooks: Migration = {
  name: '0003-events-and-webhooks',
  async up({ types: t, createTable, createIndex, run }) {
    await createTable('events', [
      `tenant_id ${t.id} NOT NULL`,
      `id ${t.id} NOT NULL`,
      `type ${t.ascii(64)} NOT NULL`,
      `created ${t.instant} NOT NULL`,
      `payload ${t.longText} NOT NULL`,
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('events_type', 'events', ['tenant_id', 'type', 'id']);

    await createTable('webhook_endpoints', [
      `tenant_id ${t.id} NOT NULL`,
      `id ${t.id} NOT NULL`,
      `url ${t.text(2048)} NOT NULL`,
      `url_hash ${t.hash} NOT NULL`,
      `description ${t.text(500)} NULL`,
      `events ${t.longText} NOT NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `disabled_reason ${t.text(500)} NULL`,
      `secret ${t.bytes} NOT NULL`,
      `previous_secret ${t.bytes} NULL`,
      `previous_secret_expires_at ${t.instant} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `updated_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('webhook_endpoints_url', 'webhook_endpoints', ['tenant_id', 'url_hash'], { unique: true });

    await createTable('webhook_subscriptions', [
      `tenant_id ${t.id} NOT NULL`,
      `event_type ${t.ascii(64)} NOT NULL`,
      `endpoint_id ${t.id} NOT NULL`,
      `shard ${t.integer} NOT NULL`,
      'PRIMARY KEY (tenant_id, event_type, endpoint_id)',
    ]);

    await createTable('webhook_deliveries', [
      `tenant_id ${t.id} NOT NULL`,
      `id ${t.id} NOT NULL`,
      `event_id ${t.id} NOT NULL`,
      `event_type ${t.ascii(64)} NOT NULL`,
      `endpoint_id ${t.id} NOT NULL`,
      `attempt ${t.integer} NOT NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `queue_shard ${t.integer} NULL`,
      `scheduled_at ${t.instant} NOT NULL`,
      `attempted_at ${t.instant} NULL`,
      `response_status ${t.integer} NULL`,
      `response_body ${t.longText} NULL`,
      `error ${t.text(500)} NULL`,
      `duration_ms ${t.integer} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `updated_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('webhook_deliveries_queue', 'webhook_deliveries', [
      'queue_shard',
      'endpoint_id',
      'scheduled_at',
      'id',
    ]);
    await createIndex('webhook_deliveries_due', 'webhook_deliveries', ['queue_shard', 'scheduled_at', 'endpoint_id']);
    await createIndex('webhook_deliveries_event', 'webhook_deliveries', ['tenant_id', 'event_id', 'id']);
    await createIndex('webhook_deliveries_endpoint', 'webhook_deliveries', ['tenant_id', 'endpoint_id', 'id']);
    await createIndex('webhook_deliveries_status', 'webhook_deliveries', ['tenant_id', 'status', 'id']);

    await createTable('shard_leases', [
      `shard ${t.integer} NOT NULL`,
      `owner ${t.ascii(64)} NULL`,
      `token ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (shard)',
    ]);
    await createTable('dispatchers', [
      `id ${t.ascii(64)} NOT NULL`,
      `beats ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    const shards = Array.from({ length: 64 }, (_, shard) => `(${shard}, NULL, 0, 0)`);
    await run('DELETE FROM shard_leases');
    await run(`INSERT INTO shard_leases (shard, owner, token, expires_at) VALUES ${shards.join(', ')}`);
  },
};
