import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { APP, REDIRECT_URI } from './fake-app.ts';
import { json, type Received, serve, type TestServer } from './serve.ts';

/** Faults of a request to the token endpoint. With `after` they occur after the request was processed. */
export type Fault =
  | 'cut before'
  | 'cut after'
  | 'half an answer'
  | '500 before'
  | '500 after'
  | 'hang before'
  | 'hang after'
  | 'html after'
  | 'no refresh_token'
  | 'no expires_in'
  | 'no scope'
  | '429'
  | 'suspended'
  | 'wrong secret'
  | 'invalid_grant';

/** One consent, which has one state, as at the service: a refresh token that is presented twice ends it. */
interface Family {
  alive: boolean;
  current: string;
}

/** A pair of tokens that the service issued. */
export interface IssuedPair {
  readonly access: string;
  readonly refresh: string;
}

/** A service with OAuth on a real socket that enforces the rules of rotation. */
export interface FakeService extends TestServer {
  /** Faults of the next requests to the token endpoint, one for each request. */
  readonly faults: Fault[];
  /** Presented refresh tokens, in order. */
  readonly presented: string[];
  /** Number of refreshes that succeeded at the service, with or without a received response. */
  refreshes(): number;
  /** Creates a new consent. */
  connect(): IssuedPair;
  /** Makes the service refuse an access token. */
  kill(access: string): void;
  isAlive(refresh: string): boolean;
  /** Waits before each token request is processed, and before it is answered. */
  gates: { before?: (() => Promise<void>) | undefined; after?: (() => Promise<void>) | undefined };
  /** Returns the number of requests of a path. */
  count(path: string): number;
  /** Answers the next authorization with a code. */
  code(challenge: string): string;
  revoked: string[];
  /** Tenant that introspection names. */
  tenant: string;
  /** Answers a path with a status, or by a function, until it is restored. */
  respond(path: string, how: number | (() => unknown) | undefined): { restore(): void };
}

export async function fakeService({ expiresIn = 3600 }: { expiresIn?: number } = {}): Promise<FakeService> {
  const families = new Map<string, Family>();
  const access = new Map<string, Family>();
  const codes = new Map<string, string>();
  const faults: Fault[] = [];
  const presented: string[] = [];
  const revoked: string[] = [];
  const gates: FakeService['gates'] = {};
  const overrides = new Map<string, number | (() => unknown)>();
  let refreshes = 0;
  let made = 0;

  const issue = (family: Family): IssuedPair => {
    const pair = { access: `plat_at_SeCrEt${++made}`, refresh: `plat_rt_SeCrEt${made}` };
    family.current = pair.refresh;
    families.set(pair.refresh, family);
    access.set(pair.access, family);
    return pair;
  };
  const connect = (): IssuedPair => issue({ alive: true, current: '' });

  function grant(form: URLSearchParams): IssuedPair | null {
    if (form.get('grant_type') === 'authorization_code') {
      const code = form.get('code') ?? '';
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (codes.get(code) !== challenge || form.get('redirect_uri') !== REDIRECT_URI) return null;
      codes.delete(code);
      return connect();
    }
    const token = form.get('refresh_token') ?? '';
    presented.push(token);
    const family = families.get(token);
    if (!family?.alive || family.current !== token) {
      if (family) family.alive = false;
      return null;
    }
    refreshes++;
    return issue(family);
  }

  async function token(response: ServerResponse, form: URLSearchParams): Promise<unknown> {
    const fault = faults.shift();
    await gates.before?.();
    if (fault === 'cut before') return response.destroy();
    if (fault === 'hang before') return undefined;
    if (fault === '500 before') return refuseOAuth(response, 500, 'INTERNAL_ERROR', 'server_error');
    if (fault === '429') {
      return refuseOAuth(response, 429, 'RATE_LIMITED', 'temporarily_unavailable', { 'retry-after': 1 });
    }
    if (fault === 'suspended') return refuseOAuth(response, 403, 'TENANT_SUSPENDED', 'access_denied');
    if (fault === 'wrong secret' || form.get('client_secret') !== APP.clientSecret) {
      return refuseOAuth(response, 401, 'INVALID_CLIENT_SECRET', 'invalid_client');
    }
    const pair = fault === 'invalid_grant' ? null : grant(form);
    if (!pair) return refuseOAuth(response, 400, 'INVALID_GRANT', 'invalid_grant');
    await gates.after?.();
    const body = {
      access_token: pair.access,
      refresh_token: fault === 'no refresh_token' ? undefined : pair.refresh,
      token_type: 'Bearer',
      expires_in: fault === 'no expires_in' ? '3600' : expiresIn,
      scope: fault === 'no scope' ? undefined : 'clients:read me:read',
    };
    if (fault === 'hang after') return undefined;
    if (fault === 'cut after') return response.destroy();
    if (fault === '500 after') return refuseOAuth(response, 500, 'INTERNAL_ERROR', 'server_error');
    if (fault === 'html after') {
      return response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${pair.refresh}</p>`);
    }
    if (fault === 'half an answer') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
      return response.write(JSON.stringify(body).slice(0, 60), () => response.destroy());
    }
    return json(response, 200, body);
  }

  const isActive = (value: string | null): boolean => access.get(value ?? '')?.alive === true;

  function answer(response: ServerResponse, { url, body, headers }: Received): unknown {
    const form = new URLSearchParams(body);
    const override = overrides.get(url);
    if (typeof override === 'function') return override();
    if (override !== undefined) return refuseOAuth(response, override, 'INTERNAL_ERROR', 'server_error');
    if (url === '/oauth/token') return token(response, form);
    if (url === '/oauth/revoke') {
      const value = form.get('token') ?? '';
      revoked.push(value);
      const family = families.get(value) ?? access.get(value);
      if (family) family.alive = false;
      return json(response, 200, {});
    }
    if (url === '/oauth/introspect') {
      if (!isActive(form.get('token'))) return json(response, 200, { active: false });
      const exp = Math.floor(Date.now() / 1000) + expiresIn;
      const known = {
        client_id: APP.clientId,
        scope: 'clients:read me:read',
        exp,
        sub: 'usr_1',
        tenant_id: service.tenant,
      };
      return json(response, 200, { active: true, ...known });
    }
    if (isActive((headers.authorization ?? '').slice('Bearer '.length))) {
      return json(response, 200, { object: 'me', tenant_id: 'ten_1', credential_type: 'oauth_token', scopes: [] });
    }
    return json(response, 401, {
      code: 'INVALID_TOKEN',
      message: `The credential ${headers.authorization} is not valid`,
    });
  }

  const server = await serve((response, request) => answer(response, request));
  const service: FakeService = Object.assign(server, {
    tenant: 'ten_1',
    respond(path: string, how: number | (() => unknown) | undefined) {
      const restore = () => void overrides.delete(path);
      if (how === undefined) restore();
      else overrides.set(path, how);
      return { restore };
    },
    faults,
    presented,
    revoked,
    gates,
    refreshes: () => refreshes,
    connect,
    kill: (value: string) => access.delete(value),
    isAlive: (value: string) => families.get(value)?.alive === true,
    count: (path: string) => server.received.filter(({ url }) => url === path).length,
    code(challenge: string) {
      const code = `plat_ac_SeCrEt${++made}`;
      codes.set(code, challenge);
      return code;
    },
  });
  return service;
}

function refuseOAuth(
  response: ServerResponse,
  status: number,
  code: string,
  error: string,
  headers: Record<string, string | number> = {},
): void {
  const message = `message of ${code}`;
  json(response, status, { code, message, error, error_description: message }, headers);
}
