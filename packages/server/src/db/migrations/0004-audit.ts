import type { Migration } from './columns.ts';

export const audit: Migration = {
  name: '0004-audit',
  async up({ types: t, createTable, createIndex }) {
    await createTable('audit_events', [
      `tenant_id ${t.id} NOT NULL`,
      `id ${t.id} NOT NULL`,
      `actor_type ${t.ascii(16)} NOT NULL`,
      `actor_id ${t.id} NULL`,
      `action ${t.ascii(64)} NOT NULL`,
      `target_type ${t.ascii(32)} NOT NULL`,
      `target_id ${t.id} NOT NULL`,
      `changes ${t.longText} NULL`,
      `request_id ${t.id} NULL`,
      `ip ${t.ascii(45)} NULL`,
      `created_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('audit_events_action', 'audit_events', ['tenant_id', 'action', 'id']);
    await createIndex('audit_events_actor', 'audit_events', ['tenant_id', 'actor_id', 'id']);
    await createIndex('audit_events_target', 'audit_events', ['tenant_id', 'target_id', 'id']);
  },
};
