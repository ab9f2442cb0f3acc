import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction, connect as openPlain, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as openTls } from 'node:tls';
import type { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import type { Connection } from './connection.ts';
import { BlockedAddressError } from './failure.ts';

/** Every address of a host name, in the order to try them. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Opens a connection for undici, and writes down in `connection` how that goes. */
export type GuardedConnect = (
  target: buildConnector.Options,
  connection: Connection,
  callback: buildConnector.Callback,
) => void;

/** TLS sessions that are kept to be resumed: those of so many hosts. */
const MOST_SESSIONS = 1000;

/**
 * Opens connections to permitted addresses only. A name is resolved here, once, and what is checked is what is
 * connected to, so that a name that changes its address in between gains nothing. An address written into the URL
 * never comes to a look-up and is checked by itself.
 */
export function createGuardedConnect(
  guard: AddressGuard,
  timeoutMs: number,
  resolve: Resolve = oneAtATime(resolveBySystem),
): GuardedConnect {
  const sessions = new Map<string, Buffer>();
  const isPermitted = (address: string, secure: boolean): boolean =>
    secure ? guard.refusalOf(address) === null : guard.isListed(address);

  const permittedAddresses = async (hostname: string, secure: boolean): Promise<readonly LookupAddress[]> => {
    const permitted = (await resolve(hostname)).filter(({ address }) => isPermitted(address, secure));
    if (permitted.length === 0) throw new BlockedAddressError(`${hostname} has no address that may be reached`);
    return permitted;
  };

  return ({ hostname, port, protocol }, connection, callback) => {
    const secure = protocol === 'https:';
    const isAddress = isIP(hostname) !== 0;
    if (isAddress && !isPermitted(hostname, secure)) {
      callback(new BlockedAddressError(`${hostname} may not be reached`), null);
      return;
    }
    const phase = stopwatch();
    const options: TcpNetConnectOpts = {
      host: hostname,
      port: Number(port || (secure ? 443 : 80)),
      lookup: lookUp(async () => {
        const addresses = await permittedAddresses(hostname, secure);
        connection.phases.dnsMs = phase();
        return addresses;
      }),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    };
    const socket = secure ? secureSocket(options, isAddress ? undefined : hostname, sessions) : openPlain(options);
    socket.once('connect', () => {
      connection.phases.connectMs = phase();
      connection.remoteAddress = socket.remoteAddress ?? null;
    });
    if (secure) socket.once('secureConnect', () => (connection.phases.tlsMs = phase()));
    settle(socket, secure ? 'secureConnect' : 'connect', timeoutMs, callback);
  };
}

/** A TLS connection to a host that a trusted authority vouches for, resumed where the host allows it. */
function secureSocket(
  options: TcpNetConnectOpts,
  servername: string | undefined,
  sessions: Map<string, Buffer>,
): Socket {
  const key = servername ?? options.host ?? '';
  const session = sessions.get(key);
  const socket = openTls({
    ...options,
    ...(servername === undefined ? {} : { servername }),
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  // Told of after the host has been verified, which a resumed session is not again.
  return socket.on('session', (latest: Buffer) => {
    sessions.delete(key);
    sessions.set(key, latest);
    const [oldest] = sessions.keys();
    if (oldest !== undefined && sessions.size > MOST_SESSIONS) sessions.delete(oldest);
  });
}

/** Calls back once: with the socket when it is ready, or with why it is not. */
function settle(socket: Socket, readyEvent: string, timeoutMs: number, callback: buildConnector.Callback): void {
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
  }, timeoutMs);
  let settled = false;
  const once = (...result: Parameters<buildConnector.Callback>): void => {
    clearTimeout(timer);
    if (settled) return;
    settled = true;
    callback(...result);
  };
  socket.once(readyEvent, () => once(null, socket));
  socket.on('error', (error) => once(error, null));
}

/** Tells how long it is since it was last asked, in ms. */
function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const before = last;
    last = performance.now();
    return last - before;
  };
}

/** The callback that `net.connect` wants, from a promise. */
function lookUp(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '');
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function resolveBySystem(hostname: string): Promise<readonly LookupAddress[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly LookupAddress[]>();
  lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  return promise;
}

/** The system resolves four names at a time: a dead name with many deliveries must not take all four places. */
function oneAtATime(resolve: Resolve): Resolve {
  const underWay = new Map<string, ReturnType<Resolve>>();
  return (hostname) => {
    const running = underWay.get(hostname);
    if (running) return running;
    const started = resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, started);
    return started;
  };
}
