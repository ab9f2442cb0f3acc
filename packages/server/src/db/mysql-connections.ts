import type { Socket } from 'node:net';
import { countError, isConnectionUseless } from './errors.ts';
import type { Host } from './mysql-hosts.ts';
import type { Session, Threads } from './mysql-session.ts';
import type { Connection } from './sequelize-internals.ts';

/** Interval of checks of running statements and of connections that are being opened, in ms. */
export const TICK_MS = 250;
/** Time after which the server is asked whether it runs a statement, in ticks. */
const SUSPECT_TICKS = 8;
/** Additional time for the server to end a statement itself, in ticks. */
const GRACE_TICKS = 4;
/** Time after which an unused connection is checked before its next use, in ms. */
const TRUSTED_MS = 1_000;
/** Time for the answer to that check, in ms. */
const PING_MS = 1_000;

/** A connection of the pool. */
interface Watched {
  readonly connection: Connection;
  readonly socket: Socket;
  readonly host: Host;
  readonly session: Session;
  readonly expiresAt: number;
  /** True when it must not be used again. */
  isRetired: boolean;
  lastUsedAt: number;
  /** Number of statements in progress, and of all. */
  running: number;
  sent: number;
  /** Ticks since a statement began or ended. A blocked event loop adds one at most. */
  ticks: number;
}

export interface WatchOptions {
  /** Maximum duration of a statement, in ms; null: no limit. */
  readonly limitMs: () => number | null;
  /** A connection is replaced after about this time, in ms. */
  readonly maxAgeMs: number;
  /** Asks a host through another connection. */
  readonly busyThreads: (host: Host) => Promise<BusyThreads>;
}

/** Threads of a host that run a statement, or the reason why they are not known. */
export type BusyThreads = Threads | 'unreachable' | 'unknown';

/**
 * Decides which connections of a pool are usable, and ends statements that get no answer. When one connection proves
 * useless, all of its host are replaced.
 */
export class ConnectionWatch {
  readonly #options: WatchOptions;
  readonly #watched = new Map<Connection, Watched>();
  readonly #asked = new Set<Host>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  add(connection: Connection, socket: Socket, host: Host, session: Session): void {
    const now = performance.now();
    const watched: Watched = {
      ...{ connection, socket, host, session },
      // Connections that were opened together do not expire together.
      expiresAt: now + this.#options.maxAgeMs * (0.8 + 0.4 * Math.random()),
      ...{ isRetired: false, lastUsedAt: now, running: 0, sent: 0, ticks: 0 },
    };
    this.#watched.set(connection, watched);
    connection.on('error', () => {
      watched.isRetired = true;
    });
    for (const name of ['query', 'execute'] as const) this.#follow(watched, name);
  }

  /** Forgets a connection that the pool has closed. */
  remove(connection: Connection): void {
    const watched = this.#watched.get(connection);
    this.#watched.delete(connection);
    // The server may never confirm the end of the connection.
    watched?.socket.destroySoon();
  }

  /** Returns false for a connection that must not leave the pool. */
  isUsable(connection: Connection): boolean {
    const watched = this.#watched.get(connection);
    if (!watched || watched.isRetired) return false;
    return watched.socket.readyState === 'open' && performance.now() < watched.expiresAt;
  }

  /** Returns true if a connection was unused for so long that its server may have gone. */
  isUnchecked(connection: Connection): boolean {
    const watched = this.#watched.get(connection);
    return watched !== undefined && performance.now() - watched.lastUsedAt > TRUSTED_MS;
  }

  /** Resolves to true if the server answers on a connection. */
  async answers(connection: Connection): Promise<boolean> {
    const watched = this.#watched.get(connection);
    if (!watched) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => this.#end(watched, PING_MS), PING_MS);
    connection.ping((error) => resolve(!error));
    const isAlive = await promise;
    clearTimeout(timer);
    watched.lastUsedAt = performance.now();
    return isAlive;
  }

  /** Replaces every connection once it is not in use. */
  retireAll(): void {
    for (const watched of this.#watched.values()) watched.isRetired = true;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #follow(watched: Watched, name: 'query' | 'execute'): void {
    const { connection } = watched;
    const original = connection[name] as (...args: readonly unknown[]) => unknown;
    const followed = (...args: unknown[]): unknown => {
      const done = args.pop() as (error: Error | null, ...results: unknown[]) => void;
      watched.running++;
      watched.sent++;
      watched.ticks = 0;
      let isDone = false;
      return original.call(connection, ...args, (error: Error | null, ...results: unknown[]) => {
        // mysql2 calls back twice when the connection ends while it prepares a statement.
        if (isDone) return;
        isDone = true;
        watched.running--;
        watched.ticks = 0;
        watched.lastUsedAt = performance.now();
        if (error) this.#failed(watched, error);
        done(error, ...results);
      });
    };
    Object.assign(connection, { [name]: followed });
  }

  #failed(watched: Watched, error: Error): void {
    const known = countError(error);
    if (known && isConnectionUseless(known)) this.#retireHostOf(watched);
  }

  #retireHostOf(watched: Watched): void {
    // Errors of connections that are retired already say nothing about those that have replaced them.
    if (watched.isRetired) return;
    for (const other of this.#watched.values()) if (other.host === watched.host) other.isRetired = true;
  }

  /** Fails the statements of a connection that gets no answer. */
  #end(watched: Watched, afterMs: number): void {
    const error = new Error(`the database did not answer within ${afterMs} ms`);
    watched.socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    this.#retireHostOf(watched);
  }

  #tick(): void {
    const limitMs = this.#options.limitMs();
    const limitTicks = limitMs === null ? Number.POSITIVE_INFINITY : Math.ceil(limitMs / TICK_MS) + GRACE_TICKS;
    for (const watched of this.#watched.values()) {
      if (watched.running === 0) continue;
      watched.ticks++;
      if (watched.ticks >= limitTicks) this.#end(watched, watched.ticks * TICK_MS);
      else if (watched.ticks % SUSPECT_TICKS === 0) void this.#ask(watched.host);
    }
  }

  /** Ends the statements of a host that it does not run. Slow statements continue. */
  async #ask(host: Host): Promise<void> {
    if (this.#asked.has(host)) return;
    this.#asked.add(host);
    const suspects = [...this.#watched.values()]
      .filter((watched) => watched.host === host && watched.running > 0 && watched.ticks >= SUSPECT_TICKS)
      .map((watched) => ({ watched, sent: watched.sent, ticks: watched.ticks }));
    try {
      const busy = await this.#busyThreads(host);
      for (const { watched, sent } of suspects) {
        const isSame = watched.running > 0 && watched.sent === sent;
        if (isSame && isLost(watched, busy)) this.#end(watched, watched.ticks * TICK_MS);
      }
    } finally {
      this.#asked.delete(host);
    }
  }

  /** Asks a host that is unreachable a second time. One failed connection proves nothing. */
  async #busyThreads(host: Host): Promise<BusyThreads> {
    const first = await this.#options.busyThreads(host);
    if (first !== 'unreachable') return first;
    // A statement without a limit, of a migration, continues until its own connection fails.
    if (this.#options.limitMs() === null) return 'unknown';
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, TICK_MS).unref();
    await promise;
    return this.#options.busyThreads(host);
  }
}

function isLost({ session: { threadId, server } }: Watched, busy: BusyThreads): boolean {
  if (busy === 'unknown') return false;
  // A host that takes no connection answers no statement either.
  if (busy === 'unreachable') return true;
  // A proxy, or a name with several addresses, may lead to another server.
  return threadId !== null && server === busy.server && !busy.ids.has(threadId);
}
