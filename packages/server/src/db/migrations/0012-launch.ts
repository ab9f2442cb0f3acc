import type { Migration } from './columns.ts';

/** The keys that sign launch tokens, and the entitlements that clients are limited to. */
export const launch: Migration = {
  name: '0012-launch',
  async up({ types: t, createTable, createIndex }) {
    await createTable('signing_keys', [
      `kid ${t.ascii(64)} NOT NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `slot ${t.ascii(16)} NULL`,
      `public_jwk ${t.longText} NOT NULL`,
      `private_key ${t.longBytes} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `current_at ${t.instant} NULL`,
      `replaced_at ${t.instant} NULL`,
      `retired_at ${t.instant} NULL`,
      'PRIMARY KEY (kid)',
    ]);
    await createIndex('signing_keys_slot', 'signing_keys', ['slot'], { unique: true });

    await createTable('client_limits', [
      `tenant_id ${t.id} NOT NULL`,
      `client_id ${t.id} NOT NULL`,
      `capabilities ${t.longText} NOT NULL`,
      `created_at ${t.instant} NOT NULL`,
      `updated_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (tenant_id, client_id)',
    ]);
  },
};
