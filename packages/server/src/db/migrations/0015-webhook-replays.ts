import type { Migration } from './columns.ts';

/** Jobs that send many events again, each with its progress: a process that takes one over continues from there. */
export const webhookReplays: Migration = {
  name: '0015-webhook-replays',
  async up({ types: t, createTable, createIndex }) {
    await createTable('webhook_replays', [
      `tenant_id ${t.id} NOT NULL`,
      `id ${t.id} NOT NULL`,
      `endpoint_id ${t.id} NULL`,
      `selection ${t.ascii(16)} NOT NULL`,
      `since_at ${t.instant} NOT NULL`,
      `until_at ${t.instant} NOT NULL`,
      `event_types ${t.longText} NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `examined_count ${t.instant} NOT NULL`,
      `scheduled_count ${t.instant} NOT NULL`,
      `total_count ${t.instant} NULL`,
      `walks ${t.longText} NOT NULL`,
      `turn ${t.instant} NOT NULL`,
      `due_at ${t.instant} NULL`,
      `completed_at ${t.instant} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `updated_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('webhook_replays_due', 'webhook_replays', ['due_at']);
    await createIndex('webhook_replays_status', 'webhook_replays', ['tenant_id', 'status', 'id']);
    await createIndex('webhook_replays_endpoint', 'webhook_replays', ['tenant_id', 'endpoint_id', 'id']);
  },
};
