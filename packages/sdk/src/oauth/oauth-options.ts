import type { OptionNames } from '@plat/contract';
import { checkTimeout } from '../call/call-options.ts';
import { type Clock, systemClock } from '../call/clock.ts';
import { createWarn, type Warn, type Warning } from '../call/hooks.ts';
import { checkLogger, type Logger } from '../call/logger.ts';
import { type BaseUrl, parseBaseUrl } from '../checks/base-url.ts';
import { checkOptionNames } from '../checks/options.ts';
import { isVisibleAscii } from '../checks/visible-ascii.ts';
import { baseHeaders, type ClientOptions } from '../client-options.ts';
import { readVariable, VARIABLES } from '../environment.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import type { FetchFunction } from '../transport/fetch.ts';
import { givenTransport } from '../transport/given.ts';
import type { Transport } from '../transport/transport.ts';
import { checkRedirectUri } from './authorization.ts';
import type { RefreshTimes } from './grant-context.ts';
import type { GrantEncryption, GrantStore } from './grant-store.ts';
import { loggingOAuthHooks, type OAuthHooks } from './oauth-hooks.ts';
import { type Renewal, renewalFor, type WaitUntil } from './renewal.ts';

/** Options of the clients that act for tenants. */
export type ActingOptions = Omit<ClientOptions, 'baseUrl'>;

/** Options of a client or credential that acts for a tenant. */
export interface RenewalOptions {
  /**
   * Keeps the runtime alive for a renewal that a call does not wait for, for example
   * `(work) => ctx.waitUntil(work)` on Cloudflare Workers or `waitUntil` of `@vercel/functions`. `false`: a call waits
   * for the renewal that it starts. When absent, calls wait on Cloudflare Workers, edge runtimes and AWS Lambda, where
   * work ends with the request, and nowhere else.
   */
  readonly waitUntil?: WaitUntil | false | undefined;
}

/** Options of an {@link OAuth}. */
export interface OAuthOptions extends RenewalOptions {
  /**
   * Base URL of the service before `/v1` and `/oauth`, for example `http://127.0.0.1:4010`; the environment variable
   * `PLAT_BASE_URL` when absent.
   */
  readonly baseUrl?: string | undefined;
  /** Id of the app (`client_id`). */
  readonly clientId: string;
  /** Secret of the app, `plat_cs_…`. Use it on servers only. */
  readonly clientSecret: string;
  /** A registered redirect URI. It is compared byte for byte. */
  readonly redirectUri: string;
  /** Store of the grants, shared by all processes of the app. */
  readonly store: GrantStore;
  /** Encryption of the stored tokens against readers of the store, for example `aesGcm(key)`. */
  readonly encryption?: GrantEncryption | undefined;
  /** Issuer of the service (`iss`); `baseUrl` when absent. Set it if `baseUrl` is another address, such as a tunnel. */
  readonly issuer?: string | undefined;
  /** Time-out of a request to an OAuth endpoint in milliseconds; 15,000 when absent. */
  readonly timeout?: number | undefined;
  /** Maximum time to wait for a refresh of another process in milliseconds; 60,000 when absent. */
  readonly lockTimeout?: number | undefined;
  /**
   * Milliseconds to wait after a refresh without a response, before its token is presented again; 5,000 when absent.
   * The token is not presented again while the old access token is valid.
   */
  readonly settle?: number | undefined;
  /**
   * Maximum time in milliseconds for which active responses of `introspect` are cached; 0 when absent. They are never
   * cached beyond the token's `exp`.
   */
  readonly introspectionCache?: number | undefined;
  /** Options of the clients that `actingFor` creates. */
  readonly platform?: ActingOptions | undefined;
  /** Transport for all requests instead of the built-in one. It must never send a POST twice. */
  readonly transport?: Transport | undefined;
  /** `fetch` function for all requests instead of the built-in transport. Not together with `transport`. */
  readonly fetch?: FetchFunction | undefined;
  /** Functions that observe the grants. */
  readonly hooks?: OAuthHooks | undefined;
  /** Receives a line for each renewal and each grant that has ended, and the lines of the clients of `actingFor`. */
  readonly logger?: Logger | undefined;
  /** Called once for each failing hook; `console.warn` when absent. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Time and randomness, for tests. */
  readonly clock?: Clock | undefined;
}

/** The checked settings with their defaults. */
export interface OAuthSettings {
  readonly baseUrl: BaseUrl;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly store: GrantStore;
  readonly encryption: GrantEncryption | undefined;
  readonly times: RefreshTimes;
  readonly introspectionCache: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport | undefined;
  readonly renewal: Renewal;
  readonly hooks: OAuthHooks;
  readonly warn: Warn;
  readonly clock: Clock;
}

/** @throws {@link InvalidArgumentError} with the name of the invalid option, never its secret */
export function resolveOAuthOptions(options: OAuthOptions): OAuthSettings {
  checkOptionNames('OAuth', options, OPTION_NAMES);
  const { clientId, clientSecret, redirectUri, store, encryption } = options;
  const baseUrl = parseBaseUrl(options.baseUrl ?? readVariable(VARIABLES.baseUrl));
  checkCredential('clientId', clientId);
  checkCredential('clientSecret', clientSecret);
  checkRedirectUri(redirectUri);
  checkStore(store);
  checkEncryption(encryption);
  checkLogger(options.logger);
  return {
    baseUrl,
    issuer: options.issuer ?? baseUrl.origin + baseUrl.prefix,
    clientId,
    clientSecret,
    redirectUri,
    store,
    encryption,
    times: {
      timeout: checkTimeout('timeout', options.timeout ?? 15_000),
      lockTimeout: checkTimeout('lockTimeout', options.lockTimeout ?? 60_000),
      settle: checkTimeout('settle', options.settle ?? 5_000),
    },
    introspectionCache: checkCache(options.introspectionCache ?? 0),
    headers: baseHeaders(options.platform ?? {}),
    transport: givenTransport(options),
    renewal: renewalFor(options.waitUntil),
    hooks: loggingOAuthHooks(options.hooks ?? {}, options.logger),
    warn: createWarn(options.onWarning),
    clock: options.clock ?? systemClock,
  };
}

/** Names of the options; the compiler requires each. */
const OPTION_NAMES: OptionNames<OAuthOptions> = {
  baseUrl: true,
  clientId: true,
  clientSecret: true,
  redirectUri: true,
  store: true,
  encryption: true,
  issuer: true,
  timeout: true,
  lockTimeout: true,
  settle: true,
  introspectionCache: true,
  waitUntil: true,
  platform: true,
  transport: true,
  fetch: true,
  hooks: true,
  logger: true,
  onWarning: true,
  clock: true,
};

function checkCredential(argument: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') throw new InvalidArgumentError(argument, 'is required');
  if (!isVisibleAscii(value)) {
    throw new InvalidArgumentError(argument, 'contains white space or characters that are not ASCII');
  }
}

function checkStore(store: unknown): asserts store is GrantStore {
  if (hasMethods(store, ['get', 'compareAndSet'])) return;
  throw new InvalidArgumentError('store', 'is required: memoryStore(), fileStore(folder), sqlStore(…) or your own');
}

function checkEncryption(encryption: unknown): void {
  if (encryption === undefined || hasMethods(encryption, ['encrypt', 'decrypt'])) return;
  throw new InvalidArgumentError(
    'encryption',
    'must be aesGcm(keys) or your own, with the methods encrypt and decrypt',
  );
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

function checkCache(value: unknown): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw new InvalidArgumentError('introspectionCache', 'must be a number of milliseconds, 0 or above');
}
