import type { Migration } from './columns.ts';

/**
 * A grant becomes one row: it contains its authorization code, the hashes of its two newest refresh tokens and of its
 * two newest access tokens. Older refresh tokens stay in `oauth_refresh_tokens` until they expire. Apps can be
 * disabled. Grants from before count as used: none of them waits to replace another one.
 */
export const oauthGrants: Migration = {
  name: '0022-oauth-grants',
  async up({ types: t, addColumn, createIndex, run }) {
    await addColumn('oauth_grants', `begun ${t.integer} NOT NULL DEFAULT 1`);
    await addColumn('oauth_grants', `code_hash ${t.hash} NULL`);
    await addColumn('oauth_grants', `code_challenge ${t.ascii(43)} NULL`);
    await addColumn('oauth_grants', `redirect_uri ${t.text(2048)} NULL`);
    await addColumn('oauth_grants', `refresh_hash ${t.hash} NULL`);
    await addColumn('oauth_grants', `previous_refresh_hash ${t.hash} NULL`);
    await addColumn('oauth_grants', `access_hash ${t.hash} NULL`);
    await addColumn('oauth_grants', `previous_access_hash ${t.hash} NULL`);
    const ofCode = (column: string) =>
      `${column} = (SELECT c.${column} FROM oauth_codes c WHERE c.grant_id = oauth_grants.id)`;
    await run(
      `UPDATE oauth_grants SET ${['code_hash', 'code_challenge', 'redirect_uri'].map(ofCode).join(', ')}
       WHERE id IN (SELECT grant_id FROM oauth_codes)`,
    );
    await createIndex('oauth_grants_code', 'oauth_grants', ['code_hash'], { unique: true });
    await createIndex('oauth_grants_app', 'oauth_grants', ['app_id', 'tenant_id', 'status']);
    await addColumn('oauth_apps', `disabled_by ${t.ascii(16)} NULL`);
  },
};
