import type { OptionNames } from '@plat/contract';
import { defaultTransport } from '#default-transport';
import { checkMaxRetries, checkTimeout } from './call/call-options.ts';
import { type Clock, systemClock } from './call/clock.ts';
import type { Engine } from './call/engine.ts';
import { createWarn, type Hooks, type Warn, type Warning } from './call/hooks.ts';
import { parseBaseUrl } from './checks/base-url.ts';
import { checkHeaders, checkHeaderValue } from './checks/headers.ts';
import { checkOptionNames } from './checks/options.ts';
import { type CredentialSource, toCredential } from './credential.ts';
import { InvalidArgumentError } from './errors/usage-errors.ts';
import type { FetchFunction } from './transport/fetch.ts';
import { givenTransport } from './transport/given.ts';
import type { Transport } from './transport/transport.ts';
import { VERSION } from './version.ts';

/** Settings of a {@link Platform}. */
export interface PlatformOptions {
  /** An API key, `plat_live_…` or `plat_test_…`. The same as `credential`; give one of the two. */
  readonly apiKey?: string | undefined;
  /** What opens `/v1`: an API key or access token, a function that gives one, or an object that renews it. */
  readonly credential?: CredentialSource | undefined;
  /** Address of the service before `/v1`, for example `http://127.0.0.1:4010`; a path in it is kept. */
  readonly baseUrl: string;
  /** How often a failed attempt is repeated; 2 when absent. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one attempt may take, up to the last byte of the answer; 30,000 when absent. */
  readonly timeout?: number | undefined;
  /** Milliseconds that a whole call may take, with all attempts and the waits between them; 120,000 when absent. */
  readonly totalTimeout?: number | undefined;
  /** Headers of every request. Authorization and what frames the message cannot be set. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Put behind the client's own `User-Agent`, for example `billing-sync/2.1`. */
  readonly userAgent?: string | undefined;
  /** Carries requests in place of the built-in transports. */
  readonly transport?: Transport | undefined;
  /** Carries requests in place of the built-in transports; not together with `transport`. */
  readonly fetch?: FetchFunction | undefined;
  /** Functions told of each request, answer, retry and error. */
  readonly hooks?: Hooks | undefined;
  /** Told of deprecated operations and failing hooks, once each; `console.warn` when absent. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Time and chance, for tests. */
  readonly clock?: Clock | undefined;
}

/**
 * The settings, checked and with their defaults.
 * @throws {@link InvalidArgumentError} naming the option that is wrong, never its secret
 */
export function resolveOptions(options: PlatformOptions, warn?: Warn): Engine {
  checkOptionNames('Platform', options, OPTION_NAMES);
  if (options.apiKey !== undefined && options.credential !== undefined) {
    throw new InvalidArgumentError('apiKey', 'and credential are the same; give one of them');
  }
  return {
    baseUrl: parseBaseUrl(options.baseUrl),
    credential:
      options.credential === undefined
        ? toCredential('apiKey', options.apiKey)
        : toCredential('credential', options.credential),
    transport: givenTransport(options) ?? defaultTransport(),
    headers: baseHeaders(options),
    timeout: checkTimeout('timeout', options.timeout ?? 30_000),
    totalTimeout: checkTimeout('totalTimeout', options.totalTimeout ?? 120_000),
    maxRetries: checkMaxRetries(options.maxRetries ?? 2),
    hooks: options.hooks ?? {},
    // Looked up late, so that a console that is replaced (by a test, by a logger) is the one that is used.
    warn: warn ?? createWarn(options.onWarning ?? ((warning) => console.warn(`[@plat/sdk] ${warning.message}`))),
    clock: options.clock ?? systemClock,
  };
}

/** Names of the settings; the compiler requires each. */
const OPTION_NAMES: OptionNames<PlatformOptions> = {
  apiKey: true,
  credential: true,
  baseUrl: true,
  maxRetries: true,
  timeout: true,
  totalTimeout: true,
  headers: true,
  userAgent: true,
  transport: true,
  fetch: true,
  hooks: true,
  onWarning: true,
  clock: true,
};

/**
 * Headers of every request.
 * @throws {@link InvalidArgumentError} for one that cannot be sent
 */
export function baseHeaders({
  headers,
  userAgent,
}: Pick<PlatformOptions, 'headers' | 'userAgent'>): Readonly<Record<string, string>> {
  const own = `plat-sdk/${VERSION}`;
  if (userAgent !== undefined) checkHeaderValue('userAgent', userAgent);
  return {
    accept: 'application/json',
    'user-agent': userAgent ? `${own} ${userAgent}` : own,
    ...(headers ? checkHeaders(headers) : undefined),
  };
}
