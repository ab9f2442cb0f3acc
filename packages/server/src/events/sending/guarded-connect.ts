import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import type { Connection } from './connection.ts';
import { BlockedAddressError } from './failure.ts';
import { createSocketOpener } from './open-socket.ts';

/** Resolves a host name to its addresses, in the order to try them. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface GuardedConnector {
  /** Opens a connection for undici, and records its phases in `connection`. */
  connect(target: buildConnector.Options, connection: Connection, callback: buildConnector.Callback): void;
  /** Destroys connections that are still opening. */
  close(): void;
}

/**
 * Opens connections to permitted addresses only. A name is resolved once, and the connection uses the checked addresses, so
 * that DNS rebinding has no effect. An address in the URL is checked without a look-up.
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

/** Converts a promise to the callback of `net.connect`. */
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
