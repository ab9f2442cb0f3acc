import type { Migration } from './columns.ts';

/** Logins of command lines that wait for approval, and the tokens of the approved ones. */
export const developerTokens: Migration = {
  name: '0011-developer-tokens',
  async up({ types: t, createTable, createIndex }) {
    await createTable('device_logins', [
      `device_hash ${t.hash} NOT NULL`,
      `user_hash ${t.hash} NOT NULL`,
      `client_name ${t.text(200)} NOT NULL`,
      `ip ${t.ascii(64)} NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `developer_id ${t.id} NULL`,
      `token_id ${t.id} NULL`,
      `poll_seconds ${t.integer} NOT NULL`,
      `polled_at ${t.instant} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (device_hash)',
    ]);
    await createIndex('device_logins_user', 'device_logins', ['user_hash'], { unique: true });
    await createIndex('device_logins_expiry', 'device_logins', ['expires_at']);

    await createTable('developer_tokens', [
      `id ${t.id} NOT NULL`,
      `developer_id ${t.id} NOT NULL`,
      `token_hash ${t.hash} NOT NULL`,
      `client_name ${t.text(200)} NOT NULL`,
      `ip ${t.ascii(64)} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `last_used_at ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createIndex('developer_tokens_hash', 'developer_tokens', ['token_hash'], { unique: true });
    await createIndex('developer_tokens_developer', 'developer_tokens', ['developer_id', 'id']);
    await createIndex('developer_tokens_expiry', 'developer_tokens', ['expires_at']);
  },
};
