import { isId, type Scope } from '@plat/contract';
import { parseScopes } from '../auth/scopes.ts';
import type { Database } from '../db/database.ts';
import type { OAuthAppRow } from '../db/tables/oauth-apps.ts';
import { ApiError } from '../kernel/api-error.ts';
import { parseUris } from './apps.present.ts';
import { isCodeChallenge } from './pkce.ts';
import { refuseField } from './refusals.ts';
import { readScope } from './scopes.ts';
import { appDisabled } from './tenant-rules.ts';

/** The parameters of an authorization request as they came; a list where one was given more than once. */
export type RawParameters = Readonly<Record<string, unknown>>;

export interface RequestingApp extends Pick<OAuthAppRow, 'id' | 'name' | 'website' | 'verification'> {
  /** The most that it may ask for. */
  readonly scopes: readonly Scope[];
}

/** To whom answers go: an app with a redirect URI that it registered, and the state that it wants back. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** What an app asks the tenant for. */
export interface AuthorizationRequest {
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
}

type AppRow = Omit<RequestingApp, 'scopes'> & Pick<OAuthAppRow, 'scopes' | 'redirect_uris' | 'disabled_by'>;

/**
 * Who asks, and where the answer goes. As long as that is not certain, nobody is sent anywhere (RFC 6749, section 4.1.2.1).
 * @throws {@link ApiError} INVALID_REQUEST, APP_DISABLED, INVALID_REDIRECT_URI
 */
export async function recogniseApp(
  db: Database,
  parameters: RawParameters,
): Promise<{ readonly app: RequestingApp; readonly back: ReturnAddress }> {
  const { client_id: clientId, redirect_uri: redirectUri } = parameters;
  const row = isId('app', clientId) ? await findApp(db, clientId) : null;
  if (!row) throw refuseField('client_id', 'must be the id of an app');
  const { redirect_uris, scopes, disabled_by: disabledBy, ...app } = row;
  if (disabledBy !== null) throw appDisabled();
  if (typeof redirectUri !== 'string' || !parseUris(redirect_uris).includes(redirectUri)) {
    throw new ApiError('INVALID_REDIRECT_URI', 'redirect_uri is not one that the app has registered');
  }
  const state = optionalText(parameters['state']);
  return { app: { ...app, scopes: parseScopes(scopes) }, back: { redirectUri, state } };
}

function findApp(db: Database, id: string): Promise<AppRow | null> {
  return db.models.oauthApp.findByPk(id, {
    attributes: ['id', 'name', 'website', 'verification', 'redirect_uris', 'scopes', 'disabled_by'],
    raw: true,
  });
}

/**
 * What is asked for. Refusals go back to the app.
 * @throws {@link ApiError} INVALID_REQUEST, INVALID_SCOPE
 */
export function readAuthorizationRequest(parameters: RawParameters, app: RequestingApp): AuthorizationRequest {
  refuseRepeated(parameters);
  refuseOtherResponseType(optionalText(parameters['response_type']));
  const codeChallenge = readCodeChallenge(parameters);
  const scopes = readScope(optionalText(parameters['scope']) ?? '', app.scopes, 'those that the app declared');
  return { scopes, codeChallenge };
}

function refuseRepeated(parameters: RawParameters): void {
  const repeated = Object.keys(parameters).find((name) => Array.isArray(parameters[name]));
  if (repeated !== undefined) throw refuseField(repeated, 'is given more than once');
}

function refuseOtherResponseType(responseType: string | undefined): void {
  if (responseType === undefined) throw refuseField('response_type', 'is required');
  if (responseType !== 'code') throw refuseField('response_type', 'must be code', 'unsupported_response_type');
}

/** PKCE, and by S256 only (RFC 7636; specification, Authentication 4). */
function readCodeChallenge(parameters: RawParameters): string {
  const challenge = optionalText(parameters['code_challenge']);
  if (challenge === undefined) throw refuseField('code_challenge', 'is required');
  // Absent, it would mean plain (RFC 7636, section 4.3).
  if (parameters['code_challenge_method'] !== 'S256') throw refuseField('code_challenge_method', 'must be S256');
  if (!isCodeChallenge(challenge)) throw refuseField('code_challenge', 'must be the base64url of a SHA-256 digest');
  return challenge;
}

/** One without a value counts as absent (RFC 6749, section 3.1). */
function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
