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

/** How a mock begins. */
export interface MockPlatformOptions {
  /** Where the mock answers; `https://platform.example` when absent. Nothing is sent there. */
  readonly baseUrl?: string;
  /** Scopes of {@link MockPlatform.apiKey}; all when absent. */
  readonly scopes?: readonly Scope[];
  /** Requests that a key may make in a minute; a million when absent. */
  readonly rateLimit?: number;
  /** Now, in ms; the machine's clock when absent. With one that stands still, ids and times are the same every time. */
  readonly clock?: () => number;
}

/** A request that the mock got. */
export interface MockRequest {
  /** Null for a path that the API does not have. */
  readonly operation: OperationName | null;
  /** HTTP method. */
  readonly method: string;
  /** The path of the request, without its query. */
  readonly path: string;
  /** Parameters of the query. */
  readonly query: Readonly<Record<string, string>>;
  /** The JSON of the body; its text where that is no JSON; null without one. */
  readonly body: unknown;
  /** The `Idempotency-Key`; null without one. */
  readonly idempotencyKey: string | null;
  /** The `X-Request-Id` of the response. */
  readonly requestId: string;
  /** What it was answered with; null when the connection was cut. */
  readonly status: number | null;
  /** The code of the refusal, or null. */
  readonly code: ErrorCode | null;
}

/** A platform that lives in this process and answers through msw. */
export interface MockPlatform {
  /** Base URL that the mock answers for. */
  readonly baseUrl: string;
  /** A key with the scopes of the options. */
  readonly apiKey: string;
  /** Id of the tenant. */
  readonly tenantId: string;
  /** For `setupServer(...platform.handlers)` or `setupWorker(...platform.handlers)`. */
  readonly handlers: readonly HttpHandler[];
  /** What was called, the oldest first. */
  readonly requests: readonly MockRequest[];
  /** The events that the changes so far have caused, the oldest first. The mock sends them nowhere. */
  readonly events: readonly PlatformEvent[];
  /** Another key of the same tenant, with these scopes only. */
  mintKey(scopes: readonly Scope[]): string;
  /**
   * Lets the next calls of an operation fail, whatever they are. Several failures follow each other.
   * @throws TypeError for an operation or a kind that there is not
   * @throws RangeError for a number of times that is none
   */
  fail(operation: OperationName, kind: FailureKind, options?: FailOptions): void;
  /** Lets every answer take so many milliseconds, from now on. */
  delay(ms: number): void;
  /** An event as its delivery would arrive: signed, for a receiver of webhooks. Node only. */
  sign<E extends PlatformEvent>(event: E, options?: SignOptions): Promise<TestDelivery<E>>;
  /** Back to the beginning: the content of a new mock, no requests, no failures, no delay. Keys stay valid. */
  reset(): void;
}

/** How an event is signed: with which secret, when, and what is wrong with it. */
export type SignOptions = Pick<TestEventOptions<never>, 'secret' | 'timestamp' | 'flaw'>;

/**
 * A mock of the platform for unit tests: every operation, with a tenant in memory that begins with the content of a
 * sandbox. It refuses what the platform refuses, with the same codes. It is no server: nothing happens by itself, and no
 * delivery is sent; `usePlatform` starts the real one.
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
    return { world, gate: { keys, limit, windows: new Map() }, kept: new Map(), clock };
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
    // One for all: msw's patterns take paths that the platform's router does not.
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
      // Only when it is asked for: the module needs Node, and a mock may run in a browser.
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
