import { BaseError, ConnectionAcquireTimeoutError, ConnectionError, UniqueConstraintError } from 'sequelize';

/** A unique index as the model names it. MySQL reports its name, SQLite its columns. */
export interface UniqueIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Returns true if an error is a collision with this unique index. */
export function violates(error: unknown, index: UniqueIndex): boolean {
  if (!(error instanceof UniqueConstraintError)) return false;
  const message = error.parent.message;
  if (message.includes('UNIQUE constraint failed')) {
    const columns = [...message.matchAll(/\w+\.(\w+)/g)].map((match) => match[1]);
    return columns.length === index.columns.length && index.columns.every((column) => columns.includes(column));
  }
  return message.includes(`'${index.name}'`) || message.includes(`.${index.name}'`);
}

/** Returns the server's error number, or 0 without one. Numbers are the same in both servers, driver names are not. */
export function errorNumber(error: unknown): number {
  if (!(error instanceof BaseError)) return 0;
  const parent = 'parent' in error ? error.parent : undefined;
  return parent instanceof Error && 'errno' in parent && typeof parent.errno === 'number' ? parent.errno : 0;
}

/** Error of a cluster node that has lost the others. It refuses all queries until it has found them. */
const NODE_IS_ALONE = 1047;

/** Returns true if the database could not be reached at all. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof ConnectionAcquireTimeoutError) return true;
  return errorNumber(error) === NODE_IS_ALONE;
}
