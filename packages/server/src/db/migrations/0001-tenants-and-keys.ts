import type { Migration } from './columns.ts';

export const tenantsAndKeys: Migration = {
  name: '0001-tenants-and-keys',
  async up({ types: t, createTable, createIndex }) {
    await createTable('tenants', [
      `id ${t.id} NOT NULL`,
      `name ${t.text(200)} NOT NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `plan_id ${t.id} NULL`,
      `sandbox ${t.integer} NOT NULL`,
      `locks ${t.instant} NOT NULL DEFAULT 0`,
      `created_at ${t.instant} NOT NULL`,
      `updated_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createTable('api_keys', [
      `id ${t.id} NOT NULL`,
      `tenant_id ${t.id} NULL`,
      `key_hash ${t.hash} NOT NULL`,
      `hint ${t.ascii(32)} NOT NULL`,
      `scopes ${t.longText} NOT NULL`,
      `created_by ${t.id} NULL`,
      `created_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createIndex('api_keys_hash', 'api_keys', ['key_hash'], { unique: true });
    await createIndex('api_keys_tenant', 'api_keys', ['tenant_id'], { unique: true });
  },
};
