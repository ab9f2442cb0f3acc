import { ER_UNKNOWN_COM_ERROR } from './errors.ts';
import { type Connection, query } from './sequelize-internals.ts';

/** Facts about a new connection. */
export interface Session {
  /** Id of its thread in `SHOW PROCESSLIST`; null behind a proxy that has its own ids. */
  readonly threadId: number | null;
  /** Distinguishes servers behind one address, each of which has its own threads. */
  readonly server: string;
  /** True on a node of a Galera cluster. */
  readonly isNode: boolean;
}

/** The threads of one server that run a statement. */
export interface Threads {
  readonly server: string;
  readonly ids: ReadonlySet<number>;
}

const ER_OPTION_PREVENTS_STATEMENT = 1290;

/** Names of settings of which a server has those of its kind. */
const READ_ONLY = ['read_only', 'super_read_only', 'innodb_read_only'] as const;
/** Names of variables that differ between servers, at least together. */
const IDENTITY = ['hostname', 'port', 'server_id', 'server_uuid'] as const;
const SETTINGS = [...READ_ONLY, ...IDENTITY, 'wsrep_on', 'max_statement_time'] as const;

/**
 * Maximum wait for the lock of a whole table, in seconds. A change of a table waits for the transactions that use it, and
 * every later statement waits for the change.
 */
const TABLE_LOCK_SECONDS = 3;

/**
 * Runs once for each connection, so that transactions need not repeat it.
 * @param limitMs maximum duration of a statement; null: no limit
 * @throws an error with the number of the server's refusal if it does not accept changes
 */
export async function prepareSession(connection: Connection, limitMs: number | null): Promise<Session> {
  const settings = await variables(connection, 'VARIABLES', SETTINGS);
  const refusing = READ_ONLY.find((name) => (settings.get(name) ?? 'OFF') !== 'OFF');
  if (refusing !== undefined) {
    throw refusal(ER_OPTION_PREVENTS_STATEMENT, `the server does not accept changes (${refusing} is on)`);
  }
  await query(connection, 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  const assignments = [
    "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
    'autocommit = 1',
    `lock_wait_timeout = ${TABLE_LOCK_SECONDS}`,
  ];
  if (limitMs !== null) {
    // A lock wait ends first: its transaction is repeated, and one that exceeds the limit is not.
    assignments.push(`innodb_lock_wait_timeout = ${Math.max(1, Math.floor(limitMs / 2000))}`);
    assignments.push(
      settings.has('max_statement_time')
        ? `max_statement_time = ${limitMs / 1000}`
        : // Of MySQL, which applies it to SELECT only.
          `max_execution_time = ${limitMs}`,
    );
  }
  await query(connection, `SET SESSION ${assignments.join(', ')}`);
  const [thread] = await query<{ id: number }>(connection, 'SELECT CONNECTION_ID() AS id');
  const isNode = settings.get('wsrep_on') === 'ON';
  if (isNode) await joinCluster(connection);
  return {
    threadId: thread?.id === connection.threadId ? connection.threadId : null,
    server: identityOf(settings),
    isNode,
  };
}

/** Prepares a connection to a node of a Galera cluster. */
async function joinCluster(connection: Connection): Promise<void> {
  const status = await variables(connection, 'STATUS', ['wsrep_ready']);
  if (status.get('wsrep_ready') !== 'ON') throw refusal(ER_UNKNOWN_COM_ERROR, 'the node is not ready in its cluster');
  // A change acknowledged by one node must be visible to a request through another. With 1, SELECT and the beginning of a
  // transaction wait until their node has applied the commits of the others; with 2, UPDATE and DELETE outside of one too.
  await query(connection, 'SET SESSION wsrep_sync_wait = 3');
}

function identityOf(settings: ReadonlyMap<string, string>): string {
  return IDENTITY.map((name) => settings.get(name) ?? '').join(' ');
}

/** Returns the threads of this user that run a statement. */
export async function busyThreads(connection: Connection): Promise<Threads> {
  const server = identityOf(await variables(connection, 'VARIABLES', IDENTITY));
  const threads = await query<{ Id: number; Command: string }>(connection, 'SHOW PROCESSLIST');
  return { server, ids: new Set(threads.filter(({ Command }) => Command !== 'Sleep').map(({ Id }) => Id)) };
}

/** Selecting a variable by its name fails on servers that do not have it. */
async function variables(
  connection: Connection,
  kind: 'VARIABLES' | 'STATUS',
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const list = names.map((name) => `'${name}'`).join(', ');
  const rows = await query<{ Variable_name: string; Value: string }>(
    connection,
    `SHOW GLOBAL ${kind} WHERE Variable_name IN (${list})`,
  );
  return new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
}

function refusal(errno: number, message: string): Error {
  return Object.assign(new Error(message), { errno, sql: '' });
}
