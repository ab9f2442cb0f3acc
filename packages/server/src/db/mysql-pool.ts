import { connect as connectSocket, type Socket } from 'node:net';
import { BaseError, ConnectionError, type Sequelize } from 'sequelize';
import { countError, isAnswer, isUnresolvedName } from './errors.ts';
import { type BusyThreads, ConnectionWatch, TICK_MS } from './mysql-connections.ts';
import { type Host, HostList } from './mysql-hosts.ts';
import { busyThreads, prepareSession } from './mysql-session.ts';
import { observeConnection } from './observe-statements.ts';
import { type Connection, type OpenConnection, replaceConnections } from './sequelize-internals.ts';
import { sendAsText, sendUnprepared } from './unprepared.ts';

/** A host that sends nothing for this time, while a connection is opened and prepared, does not work, in ticks. */
const SILENT_TICKS = 8;
/** Idle time after which the server is probed by TCP, in ms. Firewalls forget connections after some minutes. */
const KEEP_ALIVE_MS = 30_000;

export interface PoolConfig {
  readonly hosts: readonly Host[];
  /** Maximum duration of a statement, in ms. */
  readonly statementMs: number;
  /** A connection is replaced after about this time, in ms. */
  readonly maxAgeMs: number;
}

/** The pool of connections to MySQL or MariaDB. */
export interface MysqlPool {
  /** Options of the pool for Sequelize. */
  readonly options: {
    readonly pool: { validate(connection: unknown): boolean };
    readonly hooks: { afterDisconnect(connection: unknown): Promise<void> };
  };
  /** Makes a Sequelize use this pool. */
  attach(sequelize: Sequelize): void;
  /** True after the first connection to a node of a Galera cluster. */
  isCluster(): boolean;
  /** Runs work whose statements may take any time. */
  unlimited<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Creates a pool that replaces useless connections and limits the time of each statement. */
export function createMysqlPool({ hosts, statementMs, maxAgeMs }: PoolConfig): MysqlPool {
  let limitMs: number | null = statementMs;
  let isCluster = false;
  let open: OpenConnection;
  const watch = new ConnectionWatch({
    limitMs: () => limitMs,
    maxAgeMs,
    busyThreads: (host) => askForThreads(host, open),
  });
  const list = new HostList(hosts, (host) =>
    unlessSilent(host, async (socket) => {
      const connection = await open(host, socket);
      const session = await prepareSession(connection, limitMs);
      // Before the others, so that they observe one statement.
      if (session.isNode) sendAsText(connection);
      else sendUnprepared(connection);
      isCluster ||= session.isNode;
      watch.add(connection, socket, host, session);
      observeConnection(connection);
      return connection;
    }),
  );
  return {
    options: {
      pool: { validate: (connection) => watch.isUsable(connection as Connection) },
      hooks: {
        async afterDisconnect(connection: unknown) {
          watch.remove(connection as Connection);
        },
      },
    },
    attach(sequelize) {
      open = replaceConnections(sequelize, {
        connect: () => list.connect(),
        isUsable: (connection) => !watch.isUnchecked(connection) || watch.answers(connection),
      });
    },
    isCluster: () => isCluster,
    async unlimited(work) {
      limitMs = null;
      watch.retireAll();
      try {
        return await work();
      } finally {
        limitMs = statementMs;
        watch.retireAll();
      }
    },
    close: () => watch.close(),
  };
}

async function askForThreads(host: Host, open: OpenConnection): Promise<BusyThreads> {
  try {
    return await unlessSilent(host, async (socket) => {
      const busy = await busyThreads(await open(host, socket));
      socket.destroy();
      return busy;
    });
  } catch (error) {
    // The server takes connections, but not this one. It may have too many.
    return isAnswer(error) || isUnresolvedName(error) ? 'unknown' : 'unreachable';
  }
}

/** Runs work on a new socket to a host, and closes the socket if the work fails or the host is silent. */
async function unlessSilent<T>({ host, port }: Host, work: (socket: Socket) => Promise<T>): Promise<T> {
  const socket = connectSocket({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
  let heard = 0;
  let ticks = 0;
  // Like statements: a blocked event loop is no silence of the host.
  const timer = setInterval(() => {
    ticks = socket.bytesRead === heard ? ticks + 1 : 0;
    heard = socket.bytesRead;
    if (ticks < SILENT_TICKS) return;
    const error = new Error(`the database at ${host}:${port} did not answer within ${SILENT_TICKS * TICK_MS} ms`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }, TICK_MS);
  try {
    return await work(socket);
  } catch (error) {
    socket.destroy();
    throw toConnectionError(error);
  } finally {
    clearInterval(timer);
  }
}

function toConnectionError(error: unknown): unknown {
  const cause = error instanceof BaseError && 'parent' in error ? error.parent : error;
  if (cause instanceof Error) countError(cause);
  if (error instanceof BaseError || !(error instanceof Error)) return error;
  return new ConnectionError(Object.assign(error, { sql: '' }));
}
