import { isIP, type LookupFunction, connect as openPlain, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as openTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { remember } from '../../kernel/remember.ts';
import { type Connection, receivedBytes } from './connection.ts';

export interface SocketTarget {
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Resolves the host name; not called for an address. */
  readonly lookup: LookupFunction;
}

/** Opens sockets like undici's connector, and records their phases in a {@link Connection}. */
export interface SocketOpener {
  /** Calls back once, with the socket when it is ready for a request, or with an error. */
  open(target: SocketTarget, connection: Connection, callback: buildConnector.Callback): void;
  /** Destroys sockets that are still opening, which undici does not have yet. */
  close(): void;
}

/** @param timeoutMs time limit for opening a connection */
export function createSocketOpener(timeoutMs: number): SocketOpener {
  const opening = new Set<Socket>();
  const sessions: TlsSessions = new Map();
  const limitBytes = createByteLimit();
  return {
    open(target, connection, callback) {
      const { hostname: host, port, lookup, isSecure } = target;
      const phase = stopwatch();
      const options: TcpNetConnectOpts = {
        host,
        port,
        lookup: (name, how, found) => {
          lookup(name, how, (error, ...addresses) => {
            if (!error) connection.phases.dnsMs = phase();
            found(error, ...addresses);
          });
        },
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: 60_000,
      };
      const socket = isSecure ? openSecure(options, sessions) : openPlain(options);
      const timer = setTimeout(() => socket.destroy(new ConnectionTimeout()), timeoutMs);
      const end = (...result: Parameters<buildConnector.Callback>): void => {
        clearTimeout(timer);
        if (opening.delete(socket)) callback(...result);
      };
      opening.add(socket);
      socket.once('connect', () => {
        connection.phases.connectMs = phase();
        connection.remoteAddress = socket.remoteAddress ?? null;
        connection.socket = socket;
        if (!isSecure) end(null, socket);
      });
      socket.once('secureConnect', () => {
        connection.phases.tlsMs = phase();
        limitBytes(socket, connection);
        end(null, socket);
      });
      // The listener stays: a later error without a listener would end the process.
      socket.on('error', (error) => end(error, null));
      socket.once('close', () => clearTimeout(timer));
    },
    close() {
      for (const socket of opening) socket.destroy();
      opening.clear();
    },
  };
}

/** Interval at which the bytes of secure connections are checked, in ms. */
const CHECK_MS = 200;

/**
 * Returns a function that closes a secure connection when it has received more than its maximum, also while it is idle.
 * OpenSSL reads messages such as KeyUpdate without an event, and a receiver may send them without end.
 */
function createByteLimit(): (socket: Socket, connection: Connection) => void {
  const limited = new Map<Socket, Connection>();
  let timer: NodeJS.Timeout | undefined;
  const checkAll = (): void => {
    for (const [socket, { maxBytes }] of limited) {
      if (receivedBytes(socket) > maxBytes) socket.destroy(new TooManyBytes());
    }
  };
  return (socket, connection) => {
    limited.set(socket, connection);
    timer ??= setInterval(checkAll, CHECK_MS).unref();
    socket.once('close', () => {
      limited.delete(socket);
      if (limited.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  };
}

class TooManyBytes extends Error {
  readonly code = 'ERR_TLS_BYTES';
}

class ConnectionTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}

/** Opens a TLS connection to a host with a trusted certificate, and resumes its last session. */
function openSecure(options: TcpNetConnectOpts, sessions: TlsSessions): Socket {
  const { host = '' } = options;
  const session = sessions.get(host);
  const socket = openTls({
    ...options,
    // An address is not a server name (RFC 6066); the certificate is verified nevertheless.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  let tickets = 0;
  // Emitted after the host was verified. A resumed session is not verified again.
  return socket.on('session', (latest: Buffer) => {
    tickets++;
    // A server may send tickets without end, and none of them counts as a part of a response.
    if (tickets > MAX_TICKETS) socket.destroy(new TooManyTickets());
    else remember(sessions, host, latest, MAX_HOSTS);
  });
}

class TooManyTickets extends Error {
  readonly code = 'ERR_TLS_TICKETS';
}

/** Maximum number of session tickets of a connection. Servers send two, few of them up to four. */
const MAX_TICKETS = 16;

/** The latest TLS session of each recently used host. */
type TlsSessions = Map<string, Buffer>;
const MAX_HOSTS = 1000;

/** Returns a function that returns the time since its previous call, in ms. */
function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const before = last;
    last = performance.now();
    return last - before;
  };
}
