import { ALL_SCOPES, type ErrorCode, type OperationName, type PlatformEvent, type Scope } from '@plat/contract';
import type { TestDelivery, TestEventOptions } from '@plat/webhooks/testing';
import { addFault, ConnectionCut, type FailOptions, type FailureKind, type Faults, nextFault } from './faults.ts';
import { isAuthentic } from './gate.ts';
import type { Sent } from './idempotency.ts';
import { createIds } from './ids.ts';
import type { Refusal } from './refusal.ts';
import { logRequest } from './request-log.ts';
import { findRoute } from './routes.ts';
import { seedWorld } from './seed.ts';
import { answer, type MockServer } from './server.ts';
import { emptyWorld } from './world.ts';

/** Options of {@link createMockPlatform}. */
export interface MockPlatformOptions {
  /** Base URL that the mock answers for; `https://platform.example` when absent. No request leaves the process. */
  readonly baseUrl?: string;
  /** Scopes of {@link MockPlatform.apiKey}; all when absent. */
  readonly scopes?: readonly Scope[];
  /** Rate limit of a key in requests per minute; a million when absent. */
  readonly rateLimit?: number;
  /**
   * Returns the current time in ms; the system clock when absent. With a frozen clock, ids and times are
   * deterministic.
   */
  readonly clock?: () => number;
}

/** A request that the mock received. */
export interface MockRequest {
  /** Null for a path that the API does not have. */
  readonly operation: OperationName | null;
  /** HTTP method. */
  readonly method: string;
  /** The path of the request, without its query. */
  readonly path: string;
  /** Parameters of the query. */
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body; its text if it is not JSON; null without a body. */
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
  /**
   * Makes the next calls of an operation fail. Several failures queue up.
   * @throws TypeError for an unknown operation or kind
   * @throws RangeError for an invalid number of times
   */
  fail(operation: OperationName, kind: FailureKind, options?: FailOptions): void;
  /** Delays every response by this many milliseconds, from now on. */
  delay(ms: number): void;
  /** Signs an event as a delivery, for a receiver of webhooks. Node.js only. */
  sign<E extends PlatformEvent>(event: E, options?: SignOptions): Promise<TestDelivery<E>>;
  /** Resets the mock: seeded content, no requests, no failures, no delay. Keys stay valid. */
  reset(): void;
}

/** Options of a signature: secret, time, and deliberate flaw. */
export type SignOptions = Pick<TestEventOptions<never>, 'secret' | 'timestamp' | 'flaw'>;

/**
 * Creates a mock of the platform for unit tests: every operation, with an in-memory tenant that has the content of a
 * new sandbox. It validates as the platform does and returns the same error codes. It runs no background work and
 * sends no deliveries; `usePlatform` starts the real server.
 *
 * @example
 * const platform = createMockPlatform();
 * const plat = new Platform({ apiKey: platform.apiKey, baseUrl: platform.baseUrl, fetch: platform.fetch });
 * afterEach(() => platform.reset());
 */
export function createMockPlatform(options: MockPlatformOptions = {}): MockPlatform {
  const { scopes = ALL_SCOPES, clock = Date.now, rateLimit: limit = 1_000_000 } = options;
  const baseUrl = (options.baseUrl ?? 'https://platform.example').replace(/\/+$/, '');
  const keys = new Map<string, readonly Scope[]>();
  const faults: Faults = new Map();
  const requests: MockRequest[] = [];
  let delayMs = 0;
  const tenantId = createIds(clock)('tenant');
  let server = newServer();

  function newServer(): MockServer {
    const world = emptyWorld(tenantId, createIds(clock), new Date(clock()).toISOString());
    seedWorld(world, clock());
    return { world, gate: { keys, limit, windows: new Map() }, stored: new Map(), clock };
  }

  function mintKey(given: readonly Scope[]): string {
    const key = `plat_test_mock${String(keys.size + 1).padStart(39, '0')}`;
    keys.set(key, [...given]);
    return key;
  }

  async function respond(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { world } = server;
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!url.href.startsWith(`${baseUrl}/`)) {
      throw new TypeError(`the mock answers for ${baseUrl}, not for ${url.origin}${url.pathname}`);
    }
    request.signal.throwIfAborted();
    const body = await request.text();
    const requestId = world.newId('request');
    if (delayMs > 0) await wait(delayMs, request.signal);
    const within = new URL(url.href.slice(baseUrl.length), 'http://mock');
    const { operation, path } = findRoute(request.method, within.pathname);
    const fault = nextFault(faults, operation);
    const arrival = { request, operation, path, url: within, body, requestId };
    const sent = fault === 'cut' ? null : fault ? failed(fault, requestId) : answer(server, arrival);
    if (isAuthentic(server.gate, request)) logRequest(world, arrival, sent, clock());
    requests.push({
      operation,
      method: request.method,
      path: within.pathname,
      query: Object.fromEntries(url.searchParams),
      body: readBody(body),
      idempotencyKey: request.headers.get('idempotency-key'),
      requestId,
      status: sent?.status ?? null,
      code: sent && 'code' in sent.body ? (sent.body.code as ErrorCode) : null,
    });
    if (!sent) throw new ConnectionCut();
    return Response.json(sent.body, { status: sent.status, headers: sent.headers });
  }

  return {
    baseUrl,
    apiKey: mintKey(scopes),
    tenantId,
    fetch: respond,
    requests,
    get events() {
      return [...server.world.events.values()];
    },
    mintKey,
    fail: (operation, kind, failOptions = {}) => addFault(faults, operation, kind, failOptions),
    delay(ms) {
      delayMs = ms;
    },
    async sign(event, signOptions = {}) {
      // Loaded lazily: the module needs Node.js, and a mock may run in a browser.
      const { signTestEvent } = await import('@plat/webhooks/testing');
      const { id, created, data } = event;
      const delivery = signTestEvent(event.type, { ...signOptions, id, created, tenantId: event.tenant_id, data });
      return { ...delivery, event };
    },
    reset() {
      faults.clear();
      requests.length = 0;
      delayMs = 0;
      server = newServer();
    },
  };
}

function failed(refusal: Refusal, requestId: string): Required<Sent> {
  const headers = { 'x-request-id': requestId, ...refusal.headers };
  return { status: refusal.status, body: refusal.toBody(), headers };
}

/** Waits for a number of ms. @throws the reason of the signal when it is aborted before */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function readBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
