import { DurableObject, env } from 'cloudflare:workers';

/**
 * The events of one tenant. A Durable Object runs one method at a time and responds only when its writes are durable. KV
 * cannot do this: it has no compare-and-set.
 */
export class Inbox extends DurableObject {
  #sql = this.ctx.storage.sql;

  constructor(...args) {
    super(...args);
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, type TEXT NOT NULL, created TEXT NOT NULL)',
    );
  }

  /** Stores an event once. Returns false for a duplicate. Statements of a method without `await` are one transaction. */
  record({ id, type, created }) {
    const added = this.#sql.exec('INSERT OR IGNORE INTO events VALUES (?, ?, ?) RETURNING id', id, type, created);
    return added.toArray().length === 1;
  }

  latest(limit) {
    return this.#sql.exec('SELECT * FROM events ORDER BY created DESC, id DESC LIMIT ?', limit).toArray();
  }
}

/** @param {string} tenantId */
export const inboxOf = (tenantId) => env.INBOX.get(env.INBOX.idFromName(tenantId));
