import type { Socket } from 'node:net';
import type { Sequelize, Transaction } from 'sequelize';

/*
 * The parts of Sequelize 6 that its types omit. No other file uses them. The test beside this file fails when a version
 * of Sequelize changes what they rely on.
 */

/** A statement with `?` for its values. */
interface TextStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The part of a connection of mysql2 that is used. */
export interface Connection {
  query(statement: string | TextStatement, done: (error: Error | null, answer: Answer) => void): void;
  execute(text: string, values: readonly unknown[], done: (error: Error | null, answer: Answer) => void): void;
  ping(done: (error: Error | null) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  /** Id that the server gave the connection. */
  readonly threadId: number;
}

/** The result of mysql2: rows, or the header of a change. */
export type Answer = object[] | { readonly affectedRows: number };

/** Returns the connection of a transaction, which it has until it ends. */
export function connectionOf(transaction: Transaction): Connection {
  return (transaction as Transaction & { readonly connection: Connection }).connection;
}

/** Runs work on a connection of the pool, outside of a transaction. */
export async function onConnection<T>(sequelize: Sequelize, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { connectionManager: pool } = sequelize;
  // Typed as `object`, because connections differ between dialects.
  const connection = (await pool.getConnection({ type: 'write' })) as Connection;
  try {
    return await work(connection);
  } finally {
    pool.releaseConnection(connection);
  }
}

/** The pool of connections, as far as it is measured. */
export interface PoolState {
  readonly available: number;
  readonly using: number;
  readonly waiting: number;
}

/** Returns the state of the pool of connections to a server. */
export function poolOf({ connectionManager }: Sequelize): PoolState {
  return (connectionManager as unknown as { readonly pool: { readonly write?: PoolState } & PoolState }).pool;
}

/** Replaces the function by which statements and transactions get a connection of the pool. */
export function wrapGetConnection(sequelize: Sequelize, begin: () => () => void): void {
  const pool = sequelize.connectionManager as unknown as { getConnection(options?: object): Promise<object> };
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = async (options) => {
    const end = begin();
    try {
      return await getConnection(options);
    } finally {
      end();
    }
  };
}

/** Runs a statement on a connection that is not part of the pool yet. Resolves to its rows. */
export async function query<Row extends object>(connection: Connection, text: string): Promise<readonly Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  connection.query(text, (error, rows) => (error ? reject(error) : resolve(rows)));
  return (await promise) as readonly Row[];
}

/** How a pool opens and lends its connections. */
interface Lending {
  /** Opens a connection for the pool. */
  connect(): Promise<Connection>;
  /** Called before a connection leaves the pool. The pool replaces one that is not usable. */
  isUsable(connection: Connection): boolean | Promise<boolean>;
}

interface ConnectionManager {
  readonly config: { readonly dialectOptions?: object };
  connect(config: object): Promise<Connection>;
  getConnection(options?: object): Promise<Connection>;
  destroyConnection(connection: Connection): Promise<void>;
}

/** Opens a connection to an address on a socket. */
export type OpenConnection = (address: { host: string; port: number }, socket: Socket) => Promise<Connection>;

/** Replaces how a pool opens and lends its connections. Returns the replaced way to open one. */
export function replaceConnections(sequelize: Sequelize, { connect, isUsable }: Lending): OpenConnection {
  const manager = sequelize.connectionManager as unknown as ConnectionManager;
  const { connect: open, getConnection } = manager;
  manager.connect = connect;
  manager.getConnection = async (options) => {
    for (;;) {
      const connection = await getConnection.call(manager, options);
      const usable = isUsable(connection);
      if (usable === true || (await usable)) return connection;
      await manager.destroyConnection(connection);
    }
  };
  return ({ host, port }, stream) => {
    const { config } = manager;
    return open.call(manager, { ...config, host, port, dialectOptions: { ...config.dialectOptions, stream } });
  };
}

type SendStatement = (transaction: Transaction, options: object) => Promise<unknown>;

interface TransactionStatements {
  startTransaction: SendStatement;
  commitTransaction: SendStatement;
}

/** Replaces the statements that begin and commit transactions, except while statements are logged. */
export function replaceTransactionStatements(
  sequelize: Sequelize,
  { begin, commit }: Readonly<Record<'begin' | 'commit', (transaction: Transaction) => Promise<void>>>,
): void {
  const queries = sequelize.getQueryInterface() as unknown as TransactionStatements;
  const { startTransaction, commitTransaction } = queries;
  queries.startTransaction = (transaction, options) =>
    isLogged(sequelize) ? startTransaction.call(queries, transaction, options) : begin(transaction);
  queries.commitTransaction = (transaction, options) =>
    isLogged(sequelize) ? commitTransaction.call(queries, transaction, options) : commit(transaction);
}

/** The options of a running instance, which Sequelize reads for each statement. */
interface LogOptions {
  logging: false | ((line: string, options: { readonly bind?: unknown }) => void);
}

const logOptionsOf = (sequelize: Sequelize): LogOptions =>
  (sequelize as unknown as { readonly options: LogOptions }).options;

/** Returns true while {@link logStatements} is on. */
export function isLogged(sequelize: Sequelize): boolean {
  return logOptionsOf(sequelize).logging !== false;
}

/**
 * Calls back with each statement before it runs, with its values written into it. Returns a function that stops the
 * calls.
 */
export function logStatements(sequelize: Sequelize, log: (statement: string) => void): () => void {
  const options = logOptionsOf(sequelize);
  options.logging = (line, { bind }) => {
    const values: readonly unknown[] = Array.isArray(bind) ? bind : [];
    let next = 0;
    const statement = line.replace(/^Executing \(.*?\): /, '');
    // mysql2 takes `?`, SQLite `$1`, both in the order of the values.
    log(values.length === 0 ? statement : statement.replace(/\?|\$\d+/g, () => toLiteral(sequelize, values[next++])));
  };
  return () => {
    options.logging = false;
  };
}

function toLiteral(sequelize: Sequelize, value: unknown): string {
  if (Buffer.isBuffer(value)) return `X'${value.toString('hex')}'`;
  return value === null ? 'NULL' : sequelize.escape(value as string | number);
}
