import { countError } from './errors.ts';
import { observeStatement } from './observe-statements.ts';
import { SqliteFile, type SqliteParameters, type SqliteResult } from './sqlite-file.ts';

/** The statement object that Sequelize reads from `this` in its callbacks. */
interface StatementInfo {
  readonly changes: number;
  readonly lastID: number;
}

type Callback = (this: StatementInfo, error: Error | null, rows?: unknown[]) => void;

/** The part of `sqlite3` that Sequelize uses, and a function that closes all files. */
export interface SqliteModule {
  readonly OPEN_READONLY: number;
  readonly OPEN_READWRITE: number;
  readonly OPEN_CREATE: number;
  readonly Database: new (filename: string, mode: number, callback: (error: Error | null) => void) => object;
  closeAll(): void;
}

/** Primary result codes of SQLite → the names by which Sequelize distinguishes them. */
const CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_BUSY',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

/**
 * Node's own SQLite with the interface of the `sqlite3` package, as Sequelize's `dialectModule`. Sequelize opens a
 * "connection" for each transaction. Here those are light views of one {@link SqliteFile}, which serialises writers.
 */
export function createSqliteModule(): SqliteModule {
  const files = new Map<string, SqliteFile>();
  const tableInfo = new Map<string, SqliteResult>();

  class Database {
    readonly filename: string;
    readonly #file: SqliteFile;
    #unlock: (() => void) | undefined;

    constructor(filename: string, _mode: number, callback: (error: Error | null) => void) {
      this.filename = filename;
      let file = files.get(filename);
      if (!file) {
        try {
          file = new SqliteFile(filename);
        } catch (error) {
          const failed = toSqliteError(error);
          queueMicrotask(() => callback(failed));
          throw failed;
        }
        files.set(filename, file);
      }
      this.#file = file;
      queueMicrotask(() => callback(null));
    }

    serialize(work: () => void): void {
      work();
    }

    run(sql: string, ...args: unknown[]): this {
      return this.all(sql, ...args);
    }

    exec(sql: string, ...args: unknown[]): this {
      return this.all(sql, ...args);
    }

    all(sql: string, ...args: unknown[]): this {
      const last = args.at(-1);
      const callback = isCallback(last) ? last : undefined;
      const parameters = isParameters(args[0]) ? args[0] : [];
      const end = observeStatement(sql);
      this.#execute(sql, parameters).then(
        (result) => {
          end();
          if (callback) withoutStack(() => callback.call(result, null, result.rows));
        },
        (error: unknown) => {
          const failed = toSqliteError(error);
          end(failed);
          countError(failed);
          callback?.call({ changes: 0, lastID: 0 }, failed);
        },
      );
      return this;
    }

    /** Sequelize closes the view of a finished transaction; the file stays open until {@link closeAll}. */
    close(callback?: (error: Error | null) => void): void {
      this.#release();
      callback?.(null);
    }

    async #execute(sql: string, parameters: SqliteParameters): Promise<SqliteResult> {
      const verb = (/^\s*([a-z]+)/i.exec(sql)?.[1] ?? '').toUpperCase();
      if (verb === 'BEGIN') return this.#begin(sql);
      if (this.#unlock) {
        try {
          return await this.#file.write(sql, parameters);
        } finally {
          if (verb === 'COMMIT' || (verb === 'ROLLBACK' && !/\bTO\b/i.test(sql))) this.#release();
        }
      }
      if (verb === 'SELECT' || verb === 'WITH') return this.#file.read(sql, parameters);
      if (verb === 'PRAGMA') return this.#pragma(sql, parameters);
      if (verb === 'CREATE' || verb === 'ALTER' || verb === 'DROP') tableInfo.clear();
      const unlock = await this.#file.lock();
      try {
        return await this.#file.write(sql, parameters);
      } finally {
        unlock();
      }
    }

    async #begin(sql: string): Promise<SqliteResult> {
      this.#unlock = await this.#file.lock();
      try {
        return await this.#file.write(sql, []);
      } catch (error) {
        this.#release();
        throw error;
      }
    }

    /** Sequelize asks for the columns of a table before each of its model queries. */
    async #pragma(sql: string, parameters: SqliteParameters): Promise<SqliteResult> {
      const key = `${this.filename}\n${sql}`;
      const known = tableInfo.get(key);
      if (known) return known;
      const result = await this.#file.read(sql, parameters);
      if (/^PRAGMA table_info/.test(sql)) tableInfo.set(key, result);
      return result;
    }

    #release(): void {
      this.#unlock?.();
      this.#unlock = undefined;
    }
  }

  return {
    OPEN_READONLY: 1,
    OPEN_READWRITE: 2,
    OPEN_CREATE: 4,
    Database,
    closeAll(): void {
      for (const file of files.values()) file.close();
      files.clear();
    },
  };
}

const noStack = (): string => '';

/** Formats no stack while `work` runs. Sequelize reads one after each statement, and uses it only if the statement failed. */
function withoutStack(work: () => void): void {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = noStack;
  try {
    work();
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

function isParameters(value: unknown): value is SqliteParameters {
  return typeof value === 'object' && value !== null;
}

function toSqliteError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const errcode = 'errcode' in error ? Number(error.errcode) : 0;
  const code = CODES[errcode & 0xff];
  return code === undefined ? error : Object.assign(new Error(`${code}: ${error.message}`), { code, errno: errcode });
}
