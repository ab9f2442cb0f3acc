import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import type { Connection } from './connection.ts';
import { BlockedAddressError } from './failure.ts';
import { createSocketOpener } from './open-socket.ts';

/** Every address of a host name, in the order to try them. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface GuardedConnector {
  /** Opens a connection for undici, and writes down in `connection` how that goes. */
  connect(target: buildConnector.Options, connection: Connection, callback: buildConnector.Callback): void;
  /** Gives up connections that are still coming up. */
  close(): void;
}

/**
 * Opens connections to permitted addresses only. A name is resolved here, once, and what is checked is what is
 * connected to, so that a name that changes its address in between gains nothing. An address written into the URL
 * never comes to a look-up and is checked by itself.
 */
export function createGuardedConnector(guard: AddressGuard, timeoutMs: number, resolve: Resolve): GuardedConnector {
  const sockets = createSocketOpener(timeoutMs);
  const isPermitted = (address: string, isSecure: boolean): boolean =>
    isSecure ? guard.refusalOf(address) === null : guard.isListed(address);

  const lookupFor = (isSecure: boolean): LookupFunction =>
    lookUp(async (hostname) => {
      const permitted = (await resolve(hostname)).filter(({ address }) => isPermitted(address, isSecure));
      if (permitted.length === 0) throw new BlockedAddressError(`${hostname} has no address that may be reached`);
      return permitted;
    });
  const secureLookup = lookupFor(true);
  const plainLookup = lookupFor(false);

  return {
    connect({ hostname, port, protocol }, connection, callback) {
      const isSecure = protocol === 'https:';
      if (isIP(hostname) !== 0 && !isPermitted(hostname, isSecure)) {
        callback(new BlockedAddressError(`${hostname} may not be reached`), null);
        return;
      }
      const target = {
        hostname,
        port: Number(port || (isSecure ? 443 : 80)),
        isSecure,
        lookup: isSecure ? secureLookup : plainLookup,
      };
      sockets.open(target, connection, callback);
    },
    close: () => sockets.close(),
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
