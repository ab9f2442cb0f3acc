import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { BlockedAddressError } from './failure.ts';

/** Every address of a host name, in the order to try them. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Opens connections to permitted addresses only. A name is resolved here, once, and what is checked is what is
 * connected to, so that a name that changes its address in between gains nothing. An address written into the URL
 * never comes to a look-up and is checked by itself.
 */
export function createGuardedConnect(
  guard: AddressGuard,
  timeoutMs: number,
  resolve: Resolve = oneAtATime(resolveBySystem),
): buildConnector.connector {
  const isPermitted = (address: string, secure: boolean): boolean =>
    secure ? guard.refusalOf(address) === null : guard.isListed(address);

  const connectorFor = (secure: boolean): buildConnector.connector =>
    buildConnector({
      timeout: timeoutMs,
      rejectUnauthorized: true,
      lookup: lookUp(async (hostname) => {
        const permitted = (await resolve(hostname)).filter(({ address }) => isPermitted(address, secure));
        if (permitted.length === 0) throw new BlockedAddressError(`${hostname} has no address that may be reached`);
        return permitted;
      }),
    });
  const overTls = connectorFor(true);
  const plain = connectorFor(false);

  return (options, callback) => {
    const secure = options.protocol === 'https:';
    if (isIP(options.hostname) !== 0 && !isPermitted(options.hostname, secure)) {
      callback(new BlockedAddressError(`${options.hostname} may not be reached`), null);
      return;
    }
    (secure ? overTls : plain)(options, callback);
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
