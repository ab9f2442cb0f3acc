import { DatabaseSync } from 'node:sqlite';
import { grantsTableSql } from '@plat/sdk/oauth';

/** Opens the database of the app: grants and sessions survive a restart. @param {string} file */
export function openDatabase(file) {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(grantsTableSql('sqlite'));
  database.exec(
    'CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, content TEXT NOT NULL, expires_at INTEGER NOT NULL)',
  );
  const select = database.prepare('SELECT content FROM sessions WHERE id = ? AND expires_at > ?');
  const put = database.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM sessions WHERE id = ? OR expires_at <= ?');

  return {
    /** Runs a statement of the grant store. */
    query(sql, values) {
      const statement = database.prepare(sql);
      return sql.startsWith('SELECT') ? statement.all(...values) : statement.run(...values);
    },
    /** Returns a store of express-session. @param {typeof import('express-session').Store} Store */
    sessionStore(Store) {
      class SqliteStore extends Store {
        get(id, done) {
          const row = select.get(id, Date.now());
          done(null, row ? JSON.parse(row.content) : null);
        }

        set(id, session, done) {
          put.run(id, JSON.stringify(session), new Date(session.cookie.expires).getTime());
          done(null);
        }

        destroy(id, done) {
          remove.run(id, Date.now());
          done(null);
        }
      }
      return new SqliteStore();
    },
  };
}
