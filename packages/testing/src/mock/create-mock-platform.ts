import { ALL_SCOPES, type ErrorCode, type Scope } from '@plat/contract';
import { addFault, ConnectionCut, type Faults, nextFault } from './faults.ts';
import { type Credential, credentialOf } from './gate.ts';
import type { Sent } from './idempotency.ts';
import { createIds } from './ids.ts';
import type { MockPlatform, MockPlatformOptions, MockRequest } from './mock-platform.ts';
import { authorize } from './oauth/authorize.ts';
import { answerMetadata, answerOAuth, findEndpoint, type OAuthServer, oauthBody } from './oauth/endpoints.ts';
import { type App, begin, findAccess, type Grants, revokeConsent } from './oauth/grants.ts';
import { Refusal } from './refusal.ts';
import { logRequest } from './request-log.ts';
import { findRoute } from './routes.ts';
import { seedWorld } from './seed.ts';
import { answer, type MockServer } from './server.ts';
import { emptyWorld } from './world.ts';

/** Everything that a reset replaces, except for the list of requests. */
interface State extends MockServer, Pick<OAuthServer, 'grants' | 'wrongSecrets'> {
  readonly faults: Faults;
  /** Delay of every response, in ms. */
  delayMs: number;
}

/**
 * Creates a mock of the platform for unit tests: every operation, with an in-memory tenant that has the content of a
 * new sandbox, and the OAuth endpoints. It validates as the platform does and returns the same error codes. It runs no
 * background work and sends no deliveries; `usePlatform` starts the real server.
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
  const apps = new Map<string, App>();
  const requests: MockRequest[] = [];
  let secrets = 0;
  const newId = createIds(clock);
  const tenantId = newId('tenant');
  let state = newState();

  function newState(): State {
    const world = emptyWorld(tenantId, createIds(clock), new Date(clock()).toISOString());
    seedWorld(world, clock());
    const grants: Grants = { byCode: new Map(), byRefresh: new Map(), byAccess: new Map(), newSecret };
    return {
      world,
      gate: { find: (token) => findCredential(grants, token), limit, windows: new Map(), baseUrl },
      stored: new Map(),
      clock,
      grants,
      wrongSecrets: new Map(),
      faults: new Map(),
      delayMs: 0,
    };
  }

  function newSecret(prefix: string): string {
    secrets += 1;
    return `${prefix}mock${String(secrets).padStart(39, '0')}`;
  }

  function mintKey(given: readonly Scope[]): string {
    const key = newSecret('plat_test_');
    keys.set(key, [...given]);
    return key;
  }

  function findCredential(grants: Grants, token: string): Credential | undefined {
    const given = keys.get(token);
    if (given) return { type: 'api_key', id: KEY_ID, owner: token, appId: null, scopes: given };
    const found = findAccess(grants, token, clock());
    if (!found) return undefined;
    const { id, app } = found.grant;
    begin(grants, found.grant);
    return { type: 'oauth_token', id, owner: id, appId: app.id, scopes: found.scopes };
  }

  function oauthServer({ grants, wrongSecrets }: State): OAuthServer {
    return { issuer: baseUrl, tenantId, apps, grants, wrongSecrets, now: clock() };
  }

  async function respond(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    // A reset may overtake the call, which then changes only what it found.
    const own = state;
    const { world } = own;
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!url.href.startsWith(`${baseUrl}/`)) {
      throw new TypeError(`the mock answers for ${baseUrl}, not for ${url.origin}${url.pathname}`);
    }
    const body = await request.text();
    request.signal.throwIfAborted();
    const requestId = world.newId('request');
    if (own.delayMs > 0) await wait(own.delayMs, request.signal);
    const within = new URL(url.href.slice(baseUrl.length), 'http://mock');
    const endpoint = findEndpoint(within.pathname);
    const { operation, path } = findRoute(request.method, within.pathname);
    const fault = nextFault(own.faults, endpoint ?? operation);

    const answered = async (): Promise<Required<Sent>> => {
      if (fault instanceof Refusal) return failed(fault, requestId, endpoint !== null);
      if (endpoint) return answerOAuth(oauthServer(own), { endpoint, request, body, requestId });
      return answerMetadata(request, within.pathname, baseUrl, requestId) ?? answer(own, arrival);
    };
    const arrival = { request, operation, path, url: within, body, requestId };
    const processed = fault === 'cut before' ? null : await answered();
    const sent = fault === 'cut after' ? null : processed;
    const credential = endpoint ? undefined : credentialOf(own.gate, request);
    if (credential) logRequest(world, arrival, sent, credential, clock());
    const received: MockRequest = {
      operation: endpoint ?? operation,
      method: request.method,
      path: within.pathname,
      query: Object.fromEntries(url.searchParams),
      body: endpoint ? Object.fromEntries(new URLSearchParams(body)) : readBody(body),
      idempotencyKey: request.headers.get('idempotency-key'),
      requestId,
      status: sent?.status ?? null,
      code: sent && 'code' in sent.body ? (sent.body.code as ErrorCode) : null,
    };
    if (own === state) requests.push(received);
    if (!sent) throw new ConnectionCut();
    const headers = { 'content-type': 'application/json; charset=utf-8', ...sent.headers };
    const text = request.method === 'HEAD' ? null : JSON.stringify(sent.body);
    return new Response(text, { status: sent.status, headers });
  }

  return {
    baseUrl,
    apiKey: mintKey(scopes),
    tenantId,
    fetch: respond,
    requests,
    get events() {
      return [...state.world.events.values()];
    },
    mintKey,
    oauth: {
      registerApp({
        name = 'Test app',
        redirectUri = 'https://app.example/callback',
        scopes: declared = ALL_SCOPES,
      } = {}) {
        const app: App = {
          id: newId('app'),
          secret: newSecret('plat_cs_'),
          name,
          redirectUris: [redirectUri],
          scopes: [...declared],
        };
        apps.set(app.id, app);
        return { clientId: app.id, clientSecret: app.secret, redirectUri };
      },
      authorize: (url, decision = 'allow') => authorize(oauthServer(state), state.world, new URL(url), decision),
      revokeConsent({ clientId }) {
        const app = apps.get(clientId);
        return app !== undefined && revokeConsent(state.grants, state.world, app, clock());
      },
    },
    fail: (operation, kind, failOptions = {}) => addFault(state.faults, operation, kind, failOptions),
    delay(ms) {
      state.delayMs = ms;
    },
    async sign(event, signOptions = {}) {
      if (!hasNodeCrypto()) {
        throw new TypeError('sign needs Node.js: sign the delivery in a test that runs there');
      }
      // Loaded lazily: the module needs Node.js, and a mock may run in a browser.
      const { signTestEvent } = await import('@plat/webhooks/testing');
      const { id, type, created, data, tenant_id: tenantId } = event;
      const about = 'app_id' in event ? { tenantId, appId: event.app_id } : { tenantId };
      const delivery = signTestEvent(type, { ...signOptions, ...about, id, created, data });
      return { ...delivery, event };
    },
    reset() {
      requests.length = 0;
      state = newState();
    },
  };
}

/** Audit trail and request log use one id for all keys of a mock. */
const KEY_ID = 'key_00000000000000000000000001';

function failed(refusal: Refusal, requestId: string, isOAuth: boolean): Required<Sent> {
  const headers = { 'x-request-id': requestId, ...refusal.headers };
  return { status: refusal.status, body: isOAuth ? oauthBody(refusal) : refusal.toBody(), headers };
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

/** Returns true in Node.js. In edge routes of Next.js, the functions of `process` exist but throw. */
function hasNodeCrypto(): boolean {
  try {
    return globalThis.process.getBuiltinModule('node:crypto') !== undefined;
  } catch {
    return false;
  }
}
