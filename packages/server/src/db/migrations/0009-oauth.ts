import type { Migration } from './columns.ts';

/** OAuth apps, the consents of tenants to them, and their codes and tokens, as hashes. */
export const oauth: Migration = {
  name: '0009-oauth',
  async up({ types: t, createTable, createIndex }) {
    await createTable('oauth_apps', [
      `id ${t.id} NOT NULL`,
      `developer_id ${t.id} NOT NULL`,
      `name ${t.text(200)} NOT NULL`,
      `website ${t.text(2048)} NULL`,
      `redirect_uris ${t.longText} NOT NULL`,
      `scopes ${t.longText} NOT NULL`,
      `verification ${t.ascii(16)} NOT NULL`,
      `verification_note ${t.text(500)} NULL`,
      `secret_hash ${t.hash} NOT NULL`,
      `previous_secret_hash ${t.hash} NULL`,
      `previous_secret_expires_at ${t.instant} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `updated_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createIndex('oauth_apps_developer', 'oauth_apps', ['developer_id', 'id']);
    await createIndex('oauth_apps_verification', 'oauth_apps', ['verification', 'id']);

    await createTable('oauth_grants', [
      `id ${t.id} NOT NULL`,
      `tenant_id ${t.id} NOT NULL`,
      `app_id ${t.id} NOT NULL`,
      `granted_by ${t.id} NOT NULL`,
      `scopes ${t.longText} NOT NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `revoked_reason ${t.ascii(32)} NULL`,
      `generation ${t.integer} NOT NULL`,
      `refreshed_at ${t.instant} NULL`,
      `expires_at ${t.instant} NOT NULL`,
      `created_at ${t.instant} NOT NULL`,
      `updated_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createIndex('oauth_grants_tenant', 'oauth_grants', ['tenant_id', 'id']);
    await createIndex('oauth_grants_expiry', 'oauth_grants', ['expires_at']);

    await createTable('oauth_codes', [
      `code_hash ${t.hash} NOT NULL`,
      `grant_id ${t.id} NOT NULL`,
      `redirect_uri ${t.text(2048)} NOT NULL`,
      `code_challenge ${t.ascii(43)} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (code_hash)',
    ]);
    await createIndex('oauth_codes_expiry', 'oauth_codes', ['expires_at']);

    await createTable('oauth_access_tokens', [
      `token_hash ${t.hash} NOT NULL`,
      `grant_id ${t.id} NOT NULL`,
      `scopes ${t.longText} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (token_hash)',
    ]);
    await createIndex('oauth_access_tokens_expiry', 'oauth_access_tokens', ['expires_at']);

    await createTable('oauth_refresh_tokens', [
      `token_hash ${t.hash} NOT NULL`,
      `grant_id ${t.id} NOT NULL`,
      `generation ${t.integer} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (token_hash)',
    ]);
    await createIndex('oauth_refresh_tokens_expiry', 'oauth_refresh_tokens', ['expires_at']);
  },
};
