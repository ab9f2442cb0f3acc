/**
 * What the reference server asks the database for an introspection and for a refresh, with positional parameters. The
 * bare server asks exactly this, the refresh in one transaction.
 */
export const SQL = {
  app: `SELECT id, verification, secret_hash, previous_secret_hash, previous_secret_expires_at
    FROM oauth_apps WHERE id = ?`,
  appWithToken: `SELECT p.id, p.verification, p.secret_hash, p.previous_secret_hash, p.previous_secret_expires_at,
      a.scopes, a.expires_at, a.grant_id, g.tenant_id, g.app_id, g.granted_by, g.status AS grant_status,
      t.status AS tenant_status, t.sandbox
    FROM oauth_apps p
    LEFT JOIN oauth_access_tokens a ON a.token_hash = ?
    LEFT JOIN oauth_grants g ON g.id = a.grant_id AND g.app_id = p.id
    LEFT JOIN tenants t ON t.id = g.tenant_id
    WHERE p.id = ?`,
  refreshToken: `SELECT r.generation AS presented, r.expires_at, g.id, g.tenant_id, g.app_id, g.scopes, g.status, g.generation,
      g.refreshed_at, g.expires_at AS family_expires_at, t.status AS tenant_status, t.sandbox
    FROM oauth_refresh_tokens r JOIN oauth_grants g ON g.id = r.grant_id JOIN tenants t ON t.id = g.tenant_id
    WHERE r.token_hash = ?`,
  rotate: `UPDATE oauth_grants SET generation = generation + 1, refreshed_at = ?, updated_at = ?
    WHERE id = ? AND generation = ? AND status = 'active'`,
  insertAccess: 'INSERT INTO oauth_access_tokens (token_hash, grant_id, scopes, expires_at) VALUES (?, ?, ?, ?)',
  insertRefresh: 'INSERT INTO oauth_refresh_tokens (token_hash, grant_id, generation, expires_at) VALUES (?, ?, ?, ?)',
} as const;

/** The session as the reference server sets it up. */
export const SESSION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** As many connections as the reference server has by default. */
export const CONNECTIONS = 10;
