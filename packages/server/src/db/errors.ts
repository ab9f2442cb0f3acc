import {
  BaseError,
  ConnectionAcquireTimeoutError,
  ConnectionError,
  TimeoutError,
  UniqueConstraintError,
} from 'sequelize';
import { count } from '../kernel/meter.ts';

/** A unique index as the model names it. MySQL reports its name, SQLite its columns. */
export interface UniqueIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

const SQLITE_COLLISION = 'SQLITE_CONSTRAINT: UNIQUE constraint failed: ';

/** Returns true if an error is a collision with this unique index. */
export function violates(error: unknown, index: UniqueIndex): boolean {
  if (!(error instanceof UniqueConstraintError)) return false;
  const { message } = error.parent;
  if (message.startsWith(SQLITE_COLLISION)) {
    const columns = [...message.matchAll(/\w+\.(\w+)/g)].map((match) => match[1]);
    return columns.length === index.columns.length && index.columns.every((column) => columns.includes(column));
  }
  // The message contains the value that collides, which may be any text, before the name.
  const key = message.slice(message.lastIndexOf(' for key '));
  return key.endsWith(`'${index.name}'`) || key.endsWith(`.${index.name}'`);
}

/**
 * Errors that concern the state of the database and not the statement, by number (MySQL, MariaDB) or code (driver,
 * SQLite). The numbers are the same in both servers, their names are not.
 */
const CLASSES = {
  /**
   * All of the work was rolled back and may succeed when it is repeated. These are deadlocks and lock waits,
   * certification failures of Group Replication and Galera, and write conflicts of TiDB.
   */
  conflict: [1213, 1205, 3101, 9007, 8022, 8028],
  /** The server is a replica, or has become one. A Group Replication member that may not commit reports 3100. */
  read_only: [1290, 1792, 1836, 1874, 3100, 'SQLITE_READONLY'],
  /** No disk space or memory. 3 and 28 are errors of the file system. */
  full: [3, 28, 1021, 1026, 1037, 1038, 1041, 1114, 'ENOSPC', 'SQLITE_FULL', 'SQLITE_NOMEM'],
  /** No connection, or one that is useless. 1047: a Galera node that has lost the others. */
  unreachable: [
    ...[1040, 1042, 1043, 1047, 1053, 1077, 1079, 1080, 1129, 1152, 1153, 1154, 1155, 1156, 1157, 1158, 1159, 1160],
    ...[1161, 1184, 1203, 1226, 1927, 2006, 2013, 4031],
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
    ...['PROTOCOL_CONNECTION_LOST', 'SQLITE_CANTOPEN', 'SQLITE_IOERR', 'SQLITE_NOTADB'],
  ],
  /** A statement was interrupted. 1969 and 3024: its time limit. */
  timeout: [1317, 1969, 3024, 'SQLITE_BUSY'],
} as const satisfies Readonly<Record<string, readonly (number | string)[]>>;

/** A kind of error that concerns the state of the database. */
export type ErrorClass = keyof typeof CLASSES;

const CLASS_OF: ReadonlyMap<unknown, ErrorClass> = new Map(
  (Object.entries(CLASSES) as [ErrorClass, readonly (number | string)[]][]).flatMap(([name, keys]) =>
    keys.map((key) => [key, name] as const),
  ),
);

/** Returns true if a connection with an error of this class must not be used again. */
export function isConnectionUseless(known: ErrorClass): boolean {
  return known === 'read_only' || known === 'unreachable';
}

/** The part of a driver's error that is used. */
interface DriverError extends Error {
  readonly code?: unknown;
  readonly errno?: unknown;
  /** True when the connection is lost. */
  readonly fatal?: unknown;
}

/** Returns the driver's error inside an error of Sequelize; null if there is none. */
function driverErrorOf(error: unknown): DriverError | null {
  return error instanceof BaseError && 'parent' in error && error.parent instanceof Error ? error.parent : null;
}

/** Returns the class of an error of Sequelize, or null for another error. */
export function classOf(error: unknown): ErrorClass | null {
  if (!(error instanceof BaseError)) return null;
  const cause = driverErrorOf(error);
  const known = cause && classOfDriverError(cause);
  if (known) return known;
  if (error instanceof ConnectionAcquireTimeoutError || error instanceof TimeoutError) return 'timeout';
  return error instanceof ConnectionError ? 'unreachable' : null;
}

/** A commit failed in the storage engine, whose error number is in the message. */
const FAILED_COMMIT = 1180;
/** The engine found a deadlock and rolled back. After every other error the transaction may have been committed. */
const DEADLOCK_AT_COMMIT = /\b149\b/;

/** Returns the class of an error of the driver, or null for another error. */
function classOfDriverError({ code, errno, fatal, message }: DriverError): ErrorClass | null {
  if (errno === FAILED_COMMIT) return DEADLOCK_AT_COMMIT.test(message) ? 'conflict' : 'unreachable';
  // Numbers of SQLite have another meaning.
  const byNumber = String(code).startsWith('SQLITE_') ? undefined : CLASS_OF.get(errno);
  return byNumber ?? CLASS_OF.get(code) ?? (fatal === true ? 'unreachable' : null);
}

/** Returns true if a server of MySQL or MariaDB answered with this error. */
export function isAnswer(error: unknown): boolean {
  return numberOf(error) > 0;
}

/** Returns the number of an error. Those of sockets are negative. */
function numberOf(error: unknown): number {
  return Number(driverErrorOf(error)?.errno ?? 0);
}

/** Numbers of refusals because the account lacks a right on the database, a table, a column or a routine. */
const DENIED: ReadonlySet<number> = new Set([1044, 1142, 1143, 1227, 1370]);

/** Returns true if the account of the connection lacks a right. */
export function isDenied(error: unknown): boolean {
  return DENIED.has(numberOf(error));
}

/** Number with which a Galera node refuses statements while it is not part of its cluster. */
export const ER_UNKNOWN_COM_ERROR = 1047;

/** Returns true if a server answered that it does not accept changes now. */
export function isNotElected(error: unknown): boolean {
  return classOf(error) === 'read_only' || numberOf(error) === ER_UNKNOWN_COM_ERROR;
}

/** Returns the error of Sequelize among an error and its causes, or the error itself when there is none. */
export function databaseErrorOf(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof BaseError) return each;
  return error;
}

/** Returns true if a name could not be resolved, which says nothing about the host it names. */
export function isUnresolvedName(error: unknown): boolean {
  const code = driverErrorOf(error)?.code;
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

/** Counts an error of the driver that concerns the state of the database. Returns its class. */
export function countError(error: DriverError): ErrorClass | null {
  const known = classOfDriverError(error);
  if (known) count('plat_db_errors_total', { class: known });
  return known;
}
