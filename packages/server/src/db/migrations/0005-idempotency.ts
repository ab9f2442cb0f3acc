import type { Migration } from './columns.ts';

export const idempotency: Migration = {
  name: '0005-idempotency',
  async up({ types: t, createTable, createIndex }) {
    await createTable('idempotency_keys', [
      `credential_id ${t.id} NOT NULL`,
      `key_hash ${t.hash} NOT NULL`,
      `request_hash ${t.hash} NOT NULL`,
      `attempt ${t.id} NOT NULL`,
      `locked_until ${t.instant} NOT NULL`,
      `status ${t.integer} NULL`,
      `answer ${t.longBytes} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (credential_id, key_hash)',
    ]);
    await createIndex('idempotency_keys_expiry', 'idempotency_keys', ['expires_at']);
  },
};
