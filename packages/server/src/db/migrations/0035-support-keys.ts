import type { Migration } from './columns.ts';

/** Read-only keys of the operator, each for one tenant and a while. */
export const supportKeys: Migration = {
  name: '0035-support-keys',
  async up({ types: t, createIndex, createTable }) {
    await createTable('support_keys', [
      `id ${t.id} NOT NULL`,
      `tenant_id ${t.id} NOT NULL`,
      `key_hash ${t.hash} NOT NULL`,
      `hint ${t.ascii(32)} NOT NULL`,
      `scopes ${t.longText} NOT NULL`,
      `created_by ${t.id} NOT NULL`,
      `reason ${t.text(500)} NOT NULL`,
      `created_at ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createIndex('support_keys_hash', 'support_keys', ['key_hash'], { unique: true });
    await createIndex('support_keys_tenant', 'support_keys', ['tenant_id', 'id']);
    await createIndex('support_keys_expiry', 'support_keys', ['expires_at']);
  },
};
