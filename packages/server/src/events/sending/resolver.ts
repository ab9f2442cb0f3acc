import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { Resolve } from './guarded-connect.ts';

export interface ResolverOptions {
  /** Name servers as `address:port`; those of the system when absent. */
  readonly servers?: readonly string[];
  /** How long a name server has for its first answer, in ms; it is asked twice. */
  readonly timeoutMs?: number;
  readonly bySystem?: Resolve;
}

/** How many look-ups the system does at a time: each takes one of the four threads that this process has for all such work. */
const BY_SYSTEM = 2;
/** A resolver reads the system's configuration when it is made; so long, in ms, may a change of it go unnoticed. */
const RESOLVER_AGE_MS = 60_000;
/** What a name server says of a name that it does not know, and what it looks like when there is no name server. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Resolves names by asking the name servers, any number at a time, so that names whose servers are silent hold up no
 * others. What they do not know the system is asked for, a few at a time: it knows more, as the hosts file.
 */
export function createResolve(options: ResolverOptions = {}): Resolve {
  const askServers = serversAsked(options);
  const askSystem = atMost(BY_SYSTEM, options.bySystem ?? ((hostname) => lookup(hostname, { all: true })));
  return oneAtATime(async (hostname) => {
    // Without a dot it is a name of this machine or its network: the hosts file and the search list are the system's.
    if (!hostname.includes('.')) return askSystem(hostname);
    return (await askServers(hostname)) ?? askSystem(hostname);
  });
}

/** Resolves to null when no name server knows the name. */
function serversAsked({
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

/** The others wait for their turn. */
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

/** The deliveries that need a name at the same time share one look-up. */
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
