import { DatabaseSync } from 'node:sqlite';
import { handledTableSql, recordHandled } from '@plat/webhooks';

/** Events are listed for 30 days, and can be replayed as long. Older records cannot be needed again. */
const RECORDS_MS = 31 * 24 * 60 * 60_000;

/** Opens the database: the copy of the clients, the handled events, and the settings of this worker. @param {string} file */
export function openDatabase(file) {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL');
  database.exec(handledTableSql('sqlite'));
  database.exec(`
    CREATE TABLE IF NOT EXISTS clients (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL, updated_at TEXT NOT NULL,
      deleted INTEGER NOT NULL DEFAULT 0, changes INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  `);
  database.prepare('DELETE FROM plat_handled_events WHERE handled_at < ?').run(Date.now() - RECORDS_MS);

  const getSetting = database.prepare('SELECT value FROM settings WHERE name = ?');
  const putSetting = database.prepare('INSERT OR REPLACE INTO settings VALUES (?, ?)');
  // Events arrive in any order: an older state does not replace a newer one, and a deletion is final.
  const put = database.prepare(`
    INSERT INTO clients (id, name, status, updated_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
    SET name = excluded.name, status = excluded.status, updated_at = excluded.updated_at
    WHERE excluded.updated_at > updated_at`);
  const remove = database.prepare('UPDATE clients SET deleted = 1 WHERE id = ?');
  // A count shows a lost or repeated effect, which a copied name would hide.
  const count = database.prepare('UPDATE clients SET changes = changes + 1 WHERE id = ?');
  const query = (sql, values) => database.prepare(sql).run(...values);

  const putClient = ({ id, name, status, updated_at }) => put.run(id, name, status, updated_at);
  function apply({ type, data }) {
    if (!['client.created', 'client.updated', 'client.deleted'].includes(type)) return;
    putClient(data);
    if (type === 'client.deleted') remove.run(data.id);
    count.run(data.id);
  }

  let last = Promise.resolve();
  return {
    putClient,
    /** @param {string} name */
    setting: (name) => getSetting.get(name)?.value,
    /** @param {string} name @param {string} value */
    setSetting: (name, value) => void putSetting.run(name, value),
    /**
     * Applies an event in one transaction with its record: both are committed, or neither. SQLite has one connection
     * here, so transactions run one after the other.
     * @returns {Promise<boolean>} false for an event that was applied before
     */
    applyOnce(event) {
      const result = last.then(async () => {
        database.exec('BEGIN IMMEDIATE');
        try {
          const isFirst = await recordHandled(event, { dialect: 'sqlite', query });
          if (isFirst) apply(event);
          database.exec('COMMIT');
          return isFirst;
        } catch (error) {
          database.exec('ROLLBACK');
          throw error;
        }
      });
      last = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
  };
}
