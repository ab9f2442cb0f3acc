import type { AppEvent, ErrorCode, PlatformEvent, Scope } from '@plat/contract';
import type { TestDelivery, TestEventOptions } from '@plat/webhooks/testing';
import type { FailOptions, FailureKind, FailureTarget } from './faults.ts';
import type { Decision } from './oauth/authorize.ts';

/** Options of `createMockPlatform`. */
export interface MockPlatformOptions {
  /** Base URL that the mock answers for; `https://platform.example` when absent. No request leaves the process. */
  readonly baseUrl?: string | undefined;
  /** Scopes of {@link MockPlatform.apiKey}; all when absent. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Rate limit of a key in requests per minute; a million when absent. */
  readonly rateLimit?: number | undefined;
  /**
   * Returns the current time in ms; the system clock when absent. With a frozen clock, ids and times are
   * deterministic.
   */
  readonly clock?: (() => number) | undefined;
}

/** A request that the mock received. */
export interface MockRequest {
  /** Operation or OAuth endpoint; null for a path that the platform does not have. */
  readonly operation: FailureTarget | null;
  /** HTTP method. */
  readonly method: string;
  /** The path of the request, without its query. */
  readonly path: string;
  /** Parameters of the query. */
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body or the fields of a form; the text of any other body; null without a body. */
  readonly body: unknown;
  /** The `Idempotency-Key`; null without one. */
  readonly idempotencyKey: string | null;
  /** The `X-Request-Id` of the response. */
  readonly requestId: string;
  /** Status of the response; null when the connection was cut. */
  readonly status: number | null;
  /** Error code of the response, or null. */
  readonly code: ErrorCode | null;
}

/** A mock platform in this process. */
export interface MockPlatform {
  /** Base URL that the mock answers for. */
  readonly baseUrl: string;
  /** A key with the scopes of the options. */
  readonly apiKey: string;
  /** Id of the tenant. */
  readonly tenantId: string;
  /**
   * Answers a request as the platform does: the option `fetch` of `Platform` and `OAuth` of `@plat/sdk`, in every runtime.
   * It needs no `this`. For code that calls the global `fetch` there is `mockHandlers` of `@plat/testing/msw`.
   * @throws TypeError for an address outside {@link MockPlatform.baseUrl}, and for an injected `CONNECTION_CUT`
   * @throws the reason of the request's signal when it is aborted
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Requests received, oldest first. */
  readonly requests: readonly MockRequest[];
  /** Events caused by changes, oldest first. The mock does not deliver them. */
  readonly events: readonly PlatformEvent[];
  /** Creates another key of the same tenant, with these scopes only. */
  mintKey(scopes: readonly Scope[]): string;
  /** OAuth apps and consents. */
  readonly oauth: MockOAuth;
  /**
   * Makes the next calls of an operation, or of an OAuth endpoint, fail. Several failures queue up.
   * @throws TypeError for an unknown operation or kind
   * @throws RangeError for an invalid number of times
   */
  fail(operation: FailureTarget, kind: FailureKind, options?: FailOptions): void;
  /** Delays every response by this many milliseconds, from now on. */
  delay(ms: number): void;
  /**
   * Signs an event of the tenant or of an app as a delivery, for a receiver of webhooks, at the time of this machine unless
   * `timestamp` is set. Node.js only.
   * @throws TypeError in a browser or an edge runtime
   */
  sign<E extends PlatformEvent | AppEvent>(event: E, options?: SignOptions): Promise<TestDelivery<E>>;
  /** Resets the mock: seeded content, no requests, no failures, no delay, no consents. Keys and apps stay valid. */
  reset(): void;
}

/** An OAuth app of the mock. Its fields are the options of `OAuth` of `@plat/sdk`. */
export interface MockApp {
  /** Id of the app (`client_id`). */
  readonly clientId: string;
  /** Secret of the app. */
  readonly clientSecret: string;
  /** The registered redirect URI. */
  readonly redirectUri: string;
}

/** Options of {@link MockOAuth.registerApp}. */
export interface MockAppOptions {
  /** Name of the app; `Test app` when absent. */
  readonly name?: string | undefined;
  /** Redirect URI; `https://app.example/callback` when absent. */
  readonly redirectUri?: string | undefined;
  /** Scopes that the app declares; all when absent. */
  readonly scopes?: readonly Scope[] | undefined;
}

/** OAuth apps and consents of a mock. */
export interface MockOAuth {
  /** Registers an app. It stays valid after `reset()`. */
  registerApp(options?: MockAppOptions): MockApp;
  /**
   * Decides as the tenant's owner would on the consent page. Returns the address to which the platform then sends the
   * browser: the redirect URI with `code`, or with `error`, and with `state` and `iss`.
   * @param url address of the authorization request, for example `url` of `oauth.authorizationUrl()`
   * @throws TypeError for an unknown app and a redirect URI that is not registered: the platform shows a page for them
   */
  authorize(url: string | URL, decision?: Decision): string;
  /** Ends the access of an app as the tenant's owner does. Returns false if the app has none. */
  revokeConsent(app: Pick<MockApp, 'clientId'>): boolean;
}

/** Options of a signature: secret, time, and deliberate flaw. */
export type SignOptions = Pick<TestEventOptions<never>, 'secret' | 'timestamp' | 'flaw'>;
