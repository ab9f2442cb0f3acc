/**
 * Statements of the reference server for an introspection and for a refresh, with positional parameters. The bare
 * server runs exactly these, the refresh in one transaction.
 */
export const SQL = {
  app: `SELECT id, verification, disabled_by, secret_hash, previous_secret_hash, previous_secret_expires_at
    FROM oauth_apps WHERE id = ?`,
  appWithToken: `SELECT p.id, p.verification, p.disabled_by, p.secret_hash, p.previous_secret_hash, p.previous_secret_expires_at,
      a.scopes, a.expires_at, a.grant_id, g.tenant_id, g.app_id, g.granted_by, g.status AS grant_status, g.begun,
      t.status AS tenant_status, t.sandbox
    FROM oauth_apps p
    LEFT JOIN oauth_access_tokens a ON a.token_hash = ?
    LEFT JOIN oauth_grants g ON g.id = a.grant_id AND g.app_id = p.id
    LEFT JOIN tenants t ON t.id = g.tenant_id
    WHERE p.id = ?`,
  grant: `SELECT g.id, g.tenant_id, g.app_id, g.scopes, g.status, g.generation, g.begun, g.refreshed_at, g.expires_at,
      g.refresh_hash, g.previous_refresh_hash, g.access_hash, g.previous_access_hash, t.status AS tenant_status, t.sandbox
    FROM oauth_grants g JOIN tenants t ON t.id = g.tenant_id WHERE g.id = ?`,
  rotate: `UPDATE oauth_grants SET generation = generation + 1, begun = 1, previous_refresh_hash = refresh_hash, refresh_hash = ?,
      previous_access_hash = access_hash, access_hash = ?, refreshed_at = ?, updated_at = ?
    WHERE id = ? AND generation = ? AND status = 'active'`,
  insertAccess: 'INSERT INTO oauth_access_tokens (token_hash, grant_id, scopes, expires_at) VALUES (?, ?, ?, ?)',
  moveAccess: `UPDATE oauth_access_tokens SET token_hash = ?, scopes = ?, expires_at = ?
    WHERE token_hash = ? AND grant_id = ?`,
} as const;

/** Session settings of the reference server. */
export const SESSION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Number of connections, as the reference server's default. */
export const CONNECTIONS = 10;
