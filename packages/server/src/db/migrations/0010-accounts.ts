import type { Migration } from './columns.ts';

/** Sessions of tenants' users and of developers, and the links that begin them. */
export const accounts: Migration = {
  name: '0010-accounts',
  async up({ types: t, createTable, createIndex }) {
    await createTable('sessions', [
      `session_hash ${t.hash} NOT NULL`,
      `kind ${t.ascii(16)} NOT NULL`,
      `account_id ${t.id} NOT NULL`,
      `tenant_id ${t.id} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (session_hash)',
    ]);
    await createIndex('sessions_tenant', 'sessions', ['tenant_id', 'account_id']);
    await createIndex('sessions_expiry', 'sessions', ['expires_at']);

    await createTable('sign_in_links', [
      `kind ${t.ascii(16)} NOT NULL`,
      `browser_hash ${t.hash} NOT NULL`,
      `email ${t.text(254)} NOT NULL`,
      `token_hash ${t.hash} NULL`,
      `code_hash ${t.hash} NULL`,
      `tries_left ${t.integer} NOT NULL`,
      `return_to ${t.longText} NOT NULL`,
      `created_at ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (kind, browser_hash)',
    ]);
    await createIndex('sign_in_links_expiry', 'sign_in_links', ['expires_at']);

    // A sign-in names an address, and no tenant.
    await createIndex('users_address', 'users', ['email_hash']);
  },
};
