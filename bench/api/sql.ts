/**
 * Statements of the reference server for a list and for a create, credential look-up included, with positional
 * parameters. The other two servers run exactly these.
 */
export const SQL = {
  credential: `SELECT k.id, k.tenant_id, k.scopes, k.created_by, t.status, t.sandbox
    FROM api_keys k LEFT JOIN tenants t ON t.id = k.tenant_id WHERE k.key_hash = ?`,
  firstPage: `SELECT tenant_id, id, name, status, slug, custom_domain, created_at, updated_at FROM clients
    WHERE tenant_id = ? ORDER BY id DESC LIMIT 21`,
  insertClient: `INSERT INTO clients (tenant_id, id, name, status, slug, custom_domain, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  lastEvent: 'SELECT MAX(id) AS id FROM events WHERE tenant_id = ?',
  insertEvent: 'INSERT INTO events (tenant_id, id, type, created, payload) VALUES (?, ?, ?, ?, ?)',
  scheduleDeliveries: `INSERT INTO webhook_deliveries
      (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard, scheduled_at, created_at, updated_at)
    SELECT ?, CONCAT(?, SUBSTR(endpoint_id, 23)), ?, ?, endpoint_id, 1, 'pending', shard,
      LEAST(?, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000), ?, ?
    FROM webhook_subscriptions WHERE tenant_id = ? AND event_type IN (?, '*')`,
  insertAudit: `INSERT INTO audit_events
      (tenant_id, id, actor_type, actor_id, action, target_type, target_id, changes, request_id, ip, created_at)
    VALUES (?, ?, 'api_key', ?, 'client.created', 'client', ?, NULL, ?, '127.0.0.1', ?)`,
} as const;

/** Session settings of the reference server. */
export const SESSION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Number of connections, as the reference server's default. */
export const CONNECTIONS = 10;
