import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

/** Time in ms that a statement waits for another process to finish its transaction. */
const BUSY_LIMIT_MS = 15_000;
const CACHED_STATEMENTS = 256;
/** Longer texts, such as those that insert many rows, are not kept. */
const CACHED_LENGTH = 4_096;

export interface SqliteResult {
  readonly rows: Record<string, unknown>[];
  readonly changes: number;
  readonly lastID: number;
}

export type SqliteParameters = readonly unknown[] | Readonly<Record<string, unknown>>;

/** One open connection with its prepared statements. */
class Handle {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(filename: string) {
    this.#database = new DatabaseSync(filename, { timeout: 0 });
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  }

  execute(sql: string, parameters: SqliteParameters): SqliteResult {
    const statement = this.#prepare(sql);
    const values = Array.isArray(parameters) ? parameters.map(toSqlite) : [mapValues(parameters)];
    const run = <T>(method: (...args: SQLInputValue[]) => T): T =>
      // node:sqlite takes the named parameters first; its types say so only by overload.
      method.apply(statement, values as SQLInputValue[]);
    if (statement.columns().length > 0) return { rows: run(statement.all).map(withBuffers), changes: 0, lastID: 0 };
    const { changes, lastInsertRowid } = run(statement.run);
    return { rows: [], changes: Number(changes), lastID: Number(lastInsertRowid) };
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /** Reuses the statements of the last texts. Most texts contain their values, and yet most of them repeat soon. */
  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    if (sql.length > CACHED_LENGTH) return statement;
    // The order of the map is the order of the last use.
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    for (const oldest of this.#statements.keys()) {
      if (this.#statements.size <= CACHED_STATEMENTS) break;
      this.#statements.delete(oldest);
    }
    return statement;
  }
}

/**
 * One database file in this process: a connection that reads, one that writes, and one queue for the writer. Two
 * writing connections in one thread would deadlock. Waiting for other processes does not block the thread.
 */
export class SqliteFile {
  readonly #reader: Handle;
  readonly #writer: Handle;
  #tail: Promise<void> = Promise.resolve();

  constructor(filename: string) {
    this.#writer = new Handle(filename);
    this.#reader = new Handle(filename);
  }

  read(sql: string, parameters: SqliteParameters): Promise<SqliteResult> {
    return retryWhileBusy(() => this.#reader.execute(sql, parameters));
  }

  /** Runs on the writing connection. Requires {@link lock}. */
  write(sql: string, parameters: SqliteParameters): Promise<SqliteResult> {
    return retryWhileBusy(() => this.#writer.execute(sql, parameters));
  }

  /** Resolves, in the order of the calls, to a function that releases the writer. */
  async lock(): Promise<() => void> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    return resolve;
  }

  close(): void {
    this.#reader.close();
    this.#writer.close();
  }
}

async function retryWhileBusy<T>(attempt: () => T): Promise<T> {
  const start = performance.now();
  for (let delay = 1; ; delay = Math.min(delay * 2, 32)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > BUSY_LIMIT_MS) throw error;
      await wait(delay * (0.5 + Math.random()));
    }
  }
}

/** True if another connection holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 5 || code === 6;
}

function mapValues(parameters: SqliteParameters): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, toSqlite(value)]));
}

/** Bytes as Buffers, like the row types and mysql2. Sequelize would write any other Uint8Array back as text. */
function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) {
    const value = row[name];
    if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return row;
}

function toSqlite(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  return value;
}
