import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { Resolve } from './guarded-connect.ts';

export interface ResolverOptions {
  /** Name servers as `address:port`; defaults to those of the system. */
  readonly servers?: readonly string[];
  /** Time limit of the first query to a name server, in ms; a second query follows. */
  readonly timeoutMs?: number;
  readonly bySystem?: Resolve;
}

/** Maximum number of concurrent look-ups by the system: each occupies one of the four threads of libuv's pool. */
const BY_SYSTEM = 2;
/** A resolver reads the system's configuration when it is created; it is replaced after this time, in ms. */
const RESOLVER_AGE_MS = 60_000;
/** Error codes for an unknown name, and for a missing name server. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Resolves names by querying the name servers, without a limit, so that names with silent servers do not delay others. Names
 * that they do not have are looked up by the system, a few at a time: it also reads the hosts file.
 */
export function createResolve(options: ResolverOptions = {}): Resolve {
  const byServers = queryServers(options);
  const bySystem = atMost(BY_SYSTEM, options.bySystem ?? ((hostname) => lookup(hostname, { all: true })));
  return shareLookups(async (hostname) => {
    // A name without a dot is local: only the system reads the hosts file and the search list.
    if (!hostname.includes('.')) return bySystem(hostname);
    return (await byServers(hostname)) ?? bySystem(hostname);
  });
}

/** Resolves to null when no name server has the name. */
function queryServers({
  servers,
  timeoutMs = 2_000,
}: ResolverOptions): (hostname: string) => Promise<readonly LookupAddress[] | null> {
  let resolver: Resolver | undefined;
  let madeAt = 0;
  return async (hostname) => {
    if (!resolver || performance.now() - madeAt > RESOLVER_AGE_MS) {
      resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
      if (servers) resolver.setServers(servers);
      madeAt = performance.now();
    }
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length > 0) return found;
    if ([four, six].every((answer) => answer.status === 'fulfilled' || UNKNOWN.has(answer.reason.code))) return null;
    throw Object.assign(new Error(`${hostname} could not be resolved`), { code: 'EAI_AGAIN' });
  };
}

function addressesOf(answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

/** Limits the number of concurrent look-ups; further ones wait. */
function atMost(limit: number, resolve: Resolve): Resolve {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (hostname) => {
    if (running === limit) await new Promise<void>((begin) => waiting.push(begin));
    else running++;
    try {
      return await resolve(hostname);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Concurrent look-ups of the same name share one query. */
function shareLookups(resolve: Resolve): Resolve {
  const running = new Map<string, ReturnType<Resolve>>();
  return (hostname) => {
    const known = running.get(hostname);
    if (known) return known;
    const started = resolve(hostname).finally(() => running.delete(hostname));
    running.set(hostname, started);
    return started;
  };
}
