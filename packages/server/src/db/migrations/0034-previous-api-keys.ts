import type { Migration } from './columns.ts';

/** Replaced API keys that stay valid for a chosen time. */
export const previousApiKeys: Migration = {
  name: '0034-previous-api-keys',
  async up({ types: t, createIndex, createTable }) {
    await createTable('previous_api_keys', [
      `id ${t.id} NOT NULL`,
      `tenant_id ${t.id} NOT NULL`,
      `key_hash ${t.hash} NOT NULL`,
      `hint ${t.ascii(32)} NOT NULL`,
      `scopes ${t.longText} NOT NULL`,
      `created_by ${t.id} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createIndex('previous_api_keys_hash', 'previous_api_keys', ['key_hash'], { unique: true });
    await createIndex('previous_api_keys_tenant', 'previous_api_keys', ['tenant_id'], { unique: true });
    await createIndex('previous_api_keys_expiry', 'previous_api_keys', ['expires_at']);
  },
};
