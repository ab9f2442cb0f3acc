import {
  authorizationServerMetadata,
  HEADERS,
  type Introspection,
  isId,
  LIMITS,
  OAUTH_PATHS,
  type OAuthErrorBody,
  oauthErrorOf,
  protectedResourceMetadata,
  type TokenResponse,
} from '@plat/contract';
import { count, type Windows } from '../gate.ts';
import type { Sent } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import { readBasic } from './basic.ts';
import { type Fields, OAuthRefusal, readForm, readScope, refuseField, requireFields } from './form.ts';
import { type App, begin, endOthers, findAccess, type Grant, type Grants, type Pair, rotate } from './grants.ts';

/** Names of the OAuth endpoints, for injected failures and recorded requests. */
export const OAUTH_ENDPOINTS = ['oauth.token', 'oauth.introspect', 'oauth.revoke'] as const;

/** Name of an OAuth endpoint. */
export type OAuthEndpoint = (typeof OAUTH_ENDPOINTS)[number];

const ENDPOINTS: ReadonlyMap<string, OAuthEndpoint> = new Map([
  [OAUTH_PATHS.token, 'oauth.token'],
  [OAUTH_PATHS.introspect, 'oauth.introspect'],
  [OAUTH_PATHS.revoke, 'oauth.revoke'],
]);

/** Returns the endpoint of a path; null for any other path. */
export function findEndpoint(pathname: string): OAuthEndpoint | null {
  return ENDPOINTS.get(pathname) ?? null;
}

/** Apps and grants of a mock, and what its endpoints answer with. */
export interface OAuthServer {
  readonly issuer: string;
  readonly tenantId: string;
  readonly apps: ReadonlyMap<string, App>;
  readonly grants: Grants;
  /** Wrong secrets by app id. */
  readonly wrongSecrets: Windows;
  /** Unix time in ms. */
  readonly now: number;
}

/** A request to an OAuth endpoint. */
export interface OAuthRequest {
  readonly endpoint: OAuthEndpoint;
  readonly request: Request;
  readonly body: string;
  readonly requestId: string;
}

/**
 * Returns the metadata document of a path, by which standard clients configure themselves, or the key set that it names;
 * null for any other path.
 */
export function answerMetadata(
  { method }: Request,
  pathname: string,
  baseUrl: string,
  requestId: string,
): Required<Sent> | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const body = documentOf(pathname, baseUrl);
  if (!body) return null;
  const headers = { [HEADERS.requestId]: requestId, 'cache-control': `public, max-age=${LIMITS.jwksMaxAgeSeconds}` };
  return { status: 200, body, headers };
}

function documentOf(pathname: string, baseUrl: string): object | null {
  if (pathname === OAUTH_PATHS.metadata) return authorizationServerMetadata(baseUrl);
  if (pathname === OAUTH_PATHS.resourceMetadata) return protectedResourceMetadata(baseUrl);
  // The mock has no launch tokens, and so no keys.
  return pathname === OAUTH_PATHS.jwks ? { keys: [] } : null;
}

/** Answers a request in the order of the platform: the form, the app's secret, the fields of the grant type. */
export async function answerOAuth(server: OAuthServer, given: OAuthRequest): Promise<Required<Sent>> {
  const { request, body, endpoint, requestId } = given;
  const headers = { [HEADERS.requestId]: requestId, 'cache-control': 'no-store', pragma: 'no-cache' };
  try {
    if (request.method !== 'POST') {
      throw new Refusal('METHOD_NOT_ALLOWED', `This endpoint takes POST, not ${request.method}`, {
        headers: { Allow: 'POST' },
      });
    }
    const form = readForm(request, body);
    return { status: 200, body: await ANSWERS[endpoint](server, request, form), headers };
  } catch (error) {
    // Any other error is a bug of the mock, and is not hidden behind a 500.
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: oauthBody(error), headers: { ...headers, ...error.headers } };
  }
}

/** Returns the body of a refusal with the fields of RFC 6749. */
export function oauthBody(refused: Refusal): OAuthErrorBody {
  return {
    ...refused.toBody(),
    error: refused instanceof OAuthRefusal ? refused.oauthError : oauthErrorOf(refused.code),
    error_description: refused.message.replace(/["\\]|[^\x20-\x7e]/g, "'"),
  };
}

type EndpointAnswer = (server: OAuthServer, request: Request, form: Fields) => object | Promise<object>;

const ANSWERS: { readonly [E in OAuthEndpoint]: EndpointAnswer } = {
  'oauth.token': answerToken,
  'oauth.introspect': (server, request, form): Introspection => {
    const { token } = requireFields(form, ['token']);
    const app = authenticate(server, request, form);
    const found = findAccess(server.grants, token, server.now);
    if (found?.grant.app !== app) return { active: false };
    const { app_id, granted_by, tenant_id } = found.grant.authorization;
    const exp = Math.floor(found.expires / 1000);
    return { active: true, client_id: app_id, scope: found.scopes.join(' '), exp, sub: granted_by, tenant_id };
  },
  'oauth.revoke': (server, request, form) => {
    const { token } = requireFields(form, ['token']);
    const app = authenticate(server, request, form);
    const { grants } = server;
    const grant = grants.byAccess.get(token)?.grant ?? grants.byRefresh.get(token);
    if (grant?.app === app) grant.isActive = false;
    return {};
  },
};

async function answerToken(server: OAuthServer, request: Request, form: Fields): Promise<TokenResponse> {
  const { grant_type: type } = requireFields(form, ['grant_type']);
  if (type === 'authorization_code') {
    const fields = requireFields(form, ['code', 'redirect_uri', 'code_verifier']);
    if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(fields.code_verifier)) {
      throw refuseField('code_verifier', 'must be 43 to 128 letters, digits, hyphens, dots, underscores or tildes');
    }
    // Computed first: from here on, no other request comes between.
    const challenge = await challengeOf(fields.code_verifier);
    return exchange(server, authenticate(server, request, form), { ...fields, challenge });
  }
  if (type !== 'refresh_token') {
    throw refuseField('grant_type', 'must be authorization_code or refresh_token', 'unsupported_grant_type');
  }
  const { refresh_token } = requireFields(form, ['refresh_token']);
  return refresh(server, authenticate(server, request, form), refresh_token, form['scope']);
}

interface CodeFields {
  readonly code: string;
  readonly redirect_uri: string;
  readonly challenge: string;
}

function exchange({ grants, now }: OAuthServer, app: App, { code, redirect_uri, challenge }: CodeFields) {
  const grant = grants.byCode.get(code);
  const isFresh = grant && grant.createdAt + LIMITS.authorizationCodeSeconds * 1000 > now;
  if (!isFresh || !grant.isActive || grant.app !== app) throw invalidGrant('authorization code');
  if (redirect_uri !== grant.redirectUri) {
    throw new Refusal('INVALID_REDIRECT_URI', 'redirect_uri differs from that of the authorization request');
  }
  if (challenge !== grant.challenge) {
    throw new Refusal('INVALID_PKCE', 'code_verifier does not hash to the code_challenge of the authorization');
  }
  if (grant.refresh !== null) throw endReused(grant, 'authorization code');
  endOthers(grants, grant, (other) => other.refresh !== null && !other.hasBegun);
  return tokenResponse(rotate(grants, grant, grant.authorization.scopes, now), grant.authorization.scopes);
}

function refresh({ grants, now }: OAuthServer, app: App, token: string, wanted: string | undefined): TokenResponse {
  const grant = grants.byRefresh.get(token);
  const isFresh =
    grant &&
    grant.createdAt + LIMITS.grantSeconds * 1000 > now &&
    grant.exchangedAt + LIMITS.refreshTokenSeconds * 1000 > now;
  if (!isFresh || !grant.isActive || grant.app !== app) throw invalidGrant('refresh token');
  if (grant.refresh !== token) throw endReused(grant, 'refresh token');
  const granted = grant.authorization.scopes;
  const scopes = wanted === undefined ? granted : readScope(wanted, granted, 'those of the consent');
  begin(grants, grant);
  return tokenResponse(rotate(grants, grant, scopes, now), scopes);
}

function tokenResponse({ access, refresh: next }: Pair, scopes: readonly string[]): TokenResponse {
  return {
    access_token: access,
    refresh_token: next,
    token_type: 'Bearer',
    expires_in: LIMITS.accessTokenSeconds,
    scope: scopes.join(' '),
  };
}

type Credential = 'authorization code' | 'refresh token';

function invalidGrant(what: Credential): Refusal {
  return new Refusal('INVALID_GRANT', `The ${what} is unknown, expired, revoked or another app's`);
}

/** A used code or token may be stolen, so all tokens of the consent end (RFC 9700, section 4.14.2). */
function endReused(grant: Grant, what: Credential): Refusal {
  grant.isActive = false;
  return new Refusal(
    'INVALID_GRANT',
    `The ${what} was used before, so all tokens of this consent are revoked; ask for consent again`,
  );
}

/** Returns the calling app, by the form or by HTTP Basic (RFC 6749, section 2.3.1). */
function authenticate(server: OAuthServer, request: Request, form: Fields): App {
  const header = request.headers.get('authorization');
  if (header === null) {
    const { client_id, client_secret } = requireFields(form, ['client_id', 'client_secret']);
    return appOf(server, client_id, client_secret, {});
  }
  const headers = { 'WWW-Authenticate': 'Basic realm="plat"' };
  const known = readBasic(header);
  if (!known) throw wrongSecret(headers);
  if (form['client_secret'] !== undefined) {
    throw refuseField('client_secret', 'is given in the form and in the header Authorization; give it in one of them');
  }
  if (form['client_id'] !== undefined && form['client_id'] !== known.id) {
    throw refuseField('client_id', 'is not the one of the header Authorization');
  }
  return appOf(server, known.id, known.secret, headers);
}

/** Guesses are limited per app; a right secret is accepted all the same. */
function appOf(
  { apps, wrongSecrets, now }: OAuthServer,
  id: string,
  secret: string,
  headers: Readonly<Record<string, string>>,
): App {
  const app = apps.get(id);
  if (app?.secret === secret) return app;
  const { max, seconds } = LIMITS.appSecretFailures;
  const gate = { limit: max, seconds, windows: wrongSecrets };
  const owner = isId('app', id) ? id : 'no app';
  const tooMany = (wait: string): string => `Too many wrong secrets from this address; wait ${wait} s`;
  throw count(gate, { owner }, now, tooMany).refusal ?? wrongSecret(headers);
}

function wrongSecret(headers: Readonly<Record<string, string>>): Refusal {
  return new Refusal('INVALID_CLIENT_SECRET', 'The app is unknown or the secret is wrong', { headers });
}

/** Returns the S256 challenge of a code verifier (RFC 7636, section 4.2). */
async function challengeOf(verifier: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
