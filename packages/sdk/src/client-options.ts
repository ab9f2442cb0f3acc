import type { OptionNames } from '@plat/contract';
import { defaultTransport } from '#default-transport';
import { checkMaxRetries, checkTimeout } from './call/call-options.ts';
import { type Clock, systemClock } from './call/clock.ts';
import type { Engine } from './call/engine.ts';
import { createWarn, type Hooks, loggingHooks, type Warn, type Warning } from './call/hooks.ts';
import { checkLogger, type Logger } from './call/logger.ts';
import { parseBaseUrl } from './checks/base-url.ts';
import { checkHeaders, checkHeaderValue } from './checks/headers.ts';
import { toCredential } from './credential.ts';
import { InvalidArgumentError } from './errors/usage-errors.ts';
import type { FetchFunction } from './transport/fetch.ts';
import { givenTransport } from './transport/given.ts';
import type { Transport } from './transport/transport.ts';
import { VERSION } from './version.ts';

/** Options of every client, besides its credential. */
export interface ClientOptions {
  /**
   * Base URL of the service before `/v1`, for example `http://127.0.0.1:4010`; the environment variable `PLAT_BASE_URL`
   * when absent. It may contain a path.
   */
  readonly baseUrl?: string | undefined;
  /** Maximum number of retries after a failed attempt; 2 when absent. */
  readonly maxRetries?: number | undefined;
  /** Maximum duration of one attempt in milliseconds, up to the last byte of the response; 30,000 when absent. */
  readonly timeout?: number | undefined;
  /**
   * Maximum duration of a whole call in milliseconds, including all attempts and the waits between them; 120,000 when
   * absent.
   */
  readonly totalTimeout?: number | undefined;
  /**
   * True to send no more requests than the rate limit accepts; false when absent. Requests beyond it wait for the next
   * window, within `totalTimeout`. Clients of one process with the same credential share the limit.
   */
  readonly pacing?: boolean | undefined;
  /** Headers of every request. Authorization, and headers that frame the message, cannot be set. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Appended to the `User-Agent` of the client, for example `billing-sync/2.1`. */
  readonly userAgent?: string | undefined;
  /** Transport for requests instead of the built-in one. */
  readonly transport?: Transport | undefined;
  /** `fetch` function for requests instead of the built-in transport. Not together with `transport`. */
  readonly fetch?: FetchFunction | undefined;
  /** Functions that observe each request, response, retry and error. */
  readonly hooks?: Hooks | undefined;
  /** Receives a line for each response, retry and failed call, for example `console` or a logger of pino. */
  readonly logger?: Logger | undefined;
  /** Called once for each deprecated operation and each failing hook; `console.warn` when absent. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Time and randomness, for tests. */
  readonly clock?: Clock | undefined;
}

/** Names of the options; the compiler requires each. */
export const CLIENT_OPTION_NAMES: OptionNames<ClientOptions> = {
  baseUrl: true,
  maxRetries: true,
  pacing: true,
  timeout: true,
  totalTimeout: true,
  headers: true,
  userAgent: true,
  transport: true,
  fetch: true,
  hooks: true,
  logger: true,
  onWarning: true,
  clock: true,
};

/** The option with the credential of a client. */
interface GivenCredential {
  readonly option: string;
  readonly value: unknown;
  /** Environment variable that the option falls back to. */
  readonly variable: string;
}

/**
 * Returns the checked settings with their defaults.
 * @throws {@link InvalidArgumentError} with the name of the invalid option, never its secret
 */
export function createEngine(
  options: ClientOptions,
  { option, value, variable }: GivenCredential,
  warn?: Warn,
): Engine {
  checkLogger(options.logger);
  if (options.pacing !== undefined && typeof options.pacing !== 'boolean') {
    throw new InvalidArgumentError('pacing', 'must be true or false');
  }
  return {
    baseUrl: parseBaseUrl(options.baseUrl),
    credential: toCredential(option, value, variable),
    transport: givenTransport(options) ?? defaultTransport(),
    headers: baseHeaders(options),
    timeout: checkTimeout('timeout', options.timeout ?? 30_000),
    totalTimeout: checkTimeout('totalTimeout', options.totalTimeout ?? 120_000),
    maxRetries: checkMaxRetries(options.maxRetries ?? 2),
    isPaced: options.pacing === true,
    hooks: loggingHooks(options.hooks ?? {}, options.logger),
    warn: warn ?? createWarn(options.onWarning),
    clock: options.clock ?? systemClock,
  };
}

/**
 * Returns the headers of every request.
 * @throws {@link InvalidArgumentError} for a header that cannot be sent
 */
export function baseHeaders({
  headers,
  userAgent,
}: Pick<ClientOptions, 'headers' | 'userAgent'>): Readonly<Record<string, string>> {
  const own = `plat-sdk/${VERSION}`;
  if (userAgent !== undefined) checkHeaderValue('userAgent', userAgent);
  return {
    accept: 'application/json',
    'user-agent': userAgent ? `${own} ${userAgent}` : own,
    ...(headers ? checkHeaders(headers) : undefined),
  };
}
