// Shared by the packages of the platform. It is not part of the API.

type Query = (sql: string, values: readonly (string | number)[]) => unknown;

/** Maximum number of runs of one statement. The pauses between them are random, and take 1.3 s in total at most. */
const MAX_RUNS = 8;

/**
 * Codes and numbers with which a database reports that it did not run a statement because of a concurrent one. These are
 * serialization failures, deadlocks, certification failures of Galera and Group Replication, and locked files of SQLite.
 */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01', 'ER_LOCK_DEADLOCK', '1213', '3101', 'SQLITE_BUSY']);
/** The number of SQLITE_BUSY in errors of `node:sqlite`, which waits for no lock by default. */
const BUSY = 5;
const FIELDS = ['code', 'errno', 'sqlState', 'originalCode'] as const;
/** Fields in which the libraries above the drivers keep the error of the driver. Prisma has the last two. */
const CAUSES = ['cause', 'parent', 'meta', 'driverAdapterError'] as const;

/**
 * Returns a query function that repeats a statement after a conflict. Each statement must be its own transaction.
 * @internal
 */
export function repeatedOnConflict(query: Query): (...statement: Parameters<Query>) => Promise<unknown> {
  return async (sql, values) => {
    for (let run = 1; ; run++) {
      try {
        return await query(sql, values);
      } catch (error) {
        if (run === MAX_RUNS || !isConflict(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** run));
      }
    }
  };
}

function isConflict(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 3) return false;
  if (FIELDS.some((field) => CONFLICTS.has(String(Reflect.get(error, field))))) return true;
  if (Reflect.get(error, 'errcode') === BUSY) return true;
  return CAUSES.some((field) => isConflict(Reflect.get(error, field), depth + 1));
}
