import { ALL_SCOPES, type ErrorCode, type OperationName, type PlatformEvent, type Scope } from '@plat/contract';
import type { TestDelivery, TestEventOptions } from '@plat/webhooks/testing';
import { type HttpHandler, HttpResponse, http } from 'msw';
import { addFault, type FailOptions, type FailureKind, type Faults, nextFault } from './faults.ts';
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
  /** Base URL that the mock intercepts; `https://platform.example` when absent. No request leaves the process. */
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

/** A mock platform in this process, which answers through msw. */
export interface MockPlatform {
  /** Base URL that the mock answers for. */
  readonly baseUrl: string;
  /** A key with the scopes of the options. */
  readonly apiKey: string;
  /** Id of the tenant. */
  readonly tenantId: string;
  /** For `setupServer(...platform.handlers)` or `setupWorker(...platform.handlers)`. */
  readonly handlers: readonly HttpHandler[];
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
 * const server = setupServer(...platform.handlers);
 * beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
 * afterEach(() => platform.reset());
 * afterAll(() => server.close());
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

  async function respond(request: Request): Promise<Response> {
    const { world } = server;
    const url = new URL(request.url);
    const body = await request.text();
    const requestId = world.newId('request');
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
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
    return sent ? Response.json(sent.body, { status: sent.status, headers: sent.headers }) : HttpResponse.error();
  }

  return {
    baseUrl,
    apiKey: mintKey(scopes),
    tenantId,
    // One handler for all paths: the patterns of msw accept paths that the platform's router does not.
    handlers: [http.all(`${baseUrl}/v1/*`, ({ request }) => respond(request))],
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

function readBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
