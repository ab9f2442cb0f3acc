import { LIMITS, type OptionNames } from '@plat/contract';
import type { Policy } from './claims.ts';
import { LaunchTokenError } from './errors.ts';
import type { KeySetCache } from './keys/cache.ts';
import type { Fetch } from './keys/fetch-key-set.ts';
import type { OneTimeGuard } from './once/guard.ts';

/** Options of a verifier of launch tokens. */
export interface LaunchVerifierOptions {
  /** Issuer of the launch tokens; compared exactly. */
  readonly issuer: string;
  /** Audience of your module, as registered; compared exactly. */
  readonly audience: string;
  /** URL of the key set; `<issuer>/.well-known/jwks.json` by default. */
  readonly jwksUri?: string | URL | undefined;
  /** Maximum difference between the clock of the platform and this clock, in seconds; 30 by default, at most 300. */
  readonly leewaySeconds?: number | undefined;
  /** Accepts a `jwksUri` with plain http to another host. An attacker on the network can then create launch tokens. */
  readonly allowHttp?: boolean | undefined;
  /** Cache of the key set, for short-lived processes or for processes that share a key set. */
  readonly cache?: KeySetCache | undefined;
  /** Function that fetches the key set; by default the `fetch` of the runtime. */
  readonly fetch?: Fetch | undefined;
  /** Clock in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /**
   * Guard that accepts each token only once: the result of `createOneTimeGuard()`. By default a token is accepted until
   * it expires.
   */
  readonly once?: OneTimeGuard | undefined;
}

/** Names of the options; the compiler requires each. */
export const VERIFIER_NAMES: OptionNames<LaunchVerifierOptions> = {
  issuer: true,
  audience: true,
  jwksUri: true,
  leewaySeconds: true,
  allowHttp: true,
  cache: true,
  fetch: true,
  now: true,
  once: true,
};

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function readGuard({ once }: LaunchVerifierOptions): OneTimeGuard | undefined {
  demand(once === undefined || typeof once?.use === 'function', 'once must be the result of createOneTimeGuard().');
  return once;
}

/** Source of the keys. */
export interface KeySource {
  readonly uri: string;
  readonly fetch: Fetch;
  readonly cache: KeySetCache | undefined;
  readonly now: () => number;
}

const DEFAULT_LEEWAY_SECONDS = 30;

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function readPolicy({
  issuer,
  audience,
  leewaySeconds = DEFAULT_LEEWAY_SECONDS,
  now,
}: LaunchVerifierOptions): Policy {
  demand(isText(issuer), 'issuer must be a string, and not empty.');
  demand(isText(audience), 'audience must be one string, and not empty.');
  const max = LIMITS.launchTokenLeewaySeconds;
  demand(
    Number.isFinite(leewaySeconds) && leewaySeconds >= 0 && leewaySeconds <= max,
    `leewaySeconds must be a number from 0 to ${max}, in seconds and not in milliseconds.`,
  );
  return { issuer, audience, leeway: leewaySeconds, now: readClock(now) };
}

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function readKeySource({
  issuer,
  jwksUri,
  allowHttp = false,
  cache,
  fetch,
  now,
}: LaunchVerifierOptions): KeySource {
  demand(fetch === undefined || typeof fetch === 'function', 'fetch must be a function.');
  demand(
    cache === undefined || (typeof cache?.load === 'function' && typeof cache.store === 'function'),
    'cache must have the functions load and store.',
  );
  return {
    uri: readUri(jwksUri ?? `${issuer.replace(/\/+$/, '')}/.well-known/jwks.json`, allowHttp),
    // Resolved at each call, so that a later replacement of the global `fetch` is used.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    cache,
    now: readClock(now),
  };
}

function readUri(given: string | URL, allowHttp: boolean): string {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  demand(url !== undefined, 'jwksUri, or issuer without a jwksUri, must be an absolute URL.');
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || isLoopback(url.hostname)));
  demand(safe, 'jwksUri must be https; plain http is accepted on this host, and elsewhere with allowHttp.');
  // fetch refuses such a URL with a message that quotes it.
  demand(url.username === '' && url.password === '', 'jwksUri must not hold a user name or password.');
  return url.href;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function readClock(now: (() => number) | undefined): () => number {
  if (now === undefined) return Date.now;
  demand(typeof now === 'function', 'now must be a function that returns milliseconds.');
  return () => {
    const milliseconds = now();
    demand(Number.isFinite(milliseconds), 'now must return a finite number of milliseconds.');
    return milliseconds;
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function demand(met: boolean, message: string): asserts met {
  if (!met) throw new LaunchTokenError('OPTION_INVALID', message);
}
