import { isId, type Scope, stateProblem } from '@plat/contract';
import { parseScopes } from '../../auth/scopes.ts';
import type { Database } from '../../db/database.ts';
import type { OAuthAppRow } from '../../db/tables/oauth-apps.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { parseUris } from '../apps.present.ts';
import { isCodeChallenge } from '../pkce.ts';
import { refuseField } from '../refusals.ts';
import { readScope } from '../scopes.ts';
import { appDisabled } from '../tenant-rules.ts';

/** The parameters of an authorization request before any check; an array where one was given more than once. */
export type RawParameters = Readonly<Record<string, unknown>>;

export interface RequestingApp extends Pick<OAuthAppRow, 'id' | 'name' | 'website' | 'verification'> {
  /** The scopes that it may request. */
  readonly scopes: readonly Scope[];
}

/** Destination of the response: a registered redirect URI of the app, and its state. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** The access that an app requests. */
export interface AuthorizationRequest {
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
}

/** An app with the columns that identify it. */
export interface FoundApp extends RequestingApp {
  readonly redirectUris: readonly string[];
  readonly isDisabled: boolean;
}

type AppRow = Omit<RequestingApp, 'scopes'> & Pick<OAuthAppRow, 'scopes' | 'redirect_uris' | 'disabled_by'>;

/** @throws {@link ApiError} INVALID_REQUEST */
export async function findApp(db: Database, { client_id: clientId }: RawParameters): Promise<FoundApp> {
  const row = isId('app', clientId) ? await selectApp(db, clientId) : null;
  if (!row) throw refuseField('client_id', 'must be the id of an app');
  const { redirect_uris, scopes, disabled_by: disabledBy, ...app } = row;
  const isDisabled = disabledBy !== null;
  return { ...app, scopes: parseScopes(scopes), redirectUris: parseUris(redirect_uris), isDisabled };
}

/** @throws {@link ApiError} APP_DISABLED */
export function checkAppEnabled({ isDisabled }: FoundApp): void {
  if (isDisabled) throw appDisabled();
}

/**
 * Until the redirect URI is checked, errors are not sent to it (RFC 6749, section 4.1.2.1).
 * @throws {@link ApiError} INVALID_REDIRECT_URI
 */
export function readReturnAddress({ redirectUris }: FoundApp, parameters: RawParameters): ReturnAddress {
  const { redirect_uri: redirectUri, state } = parameters;
  if (typeof redirectUri !== 'string' || !redirectUris.includes(redirectUri)) {
    throw new ApiError('INVALID_REDIRECT_URI', 'redirect_uri is not one that the app has registered');
  }
  return { redirectUri, state: optionalText(state) };
}

/** @throws {@link ApiError} INVALID_REQUEST */
export function checkNoRepeatedParameter(parameters: RawParameters): void {
  const repeated = Object.keys(parameters).find((name) => Array.isArray(parameters[name]));
  if (repeated !== undefined) throw refuseField(repeated, 'is given more than once');
}

/** @throws {@link ApiError} INVALID_REQUEST for a state that could not be sent back unchanged */
export function checkState({ state }: RawParameters): void {
  const problem = stateProblem(optionalText(state) ?? '');
  if (problem !== null) throw refuseField('state', problem);
}

/** @throws {@link ApiError} INVALID_REQUEST */
export function checkResponseType(parameters: RawParameters): void {
  const responseType = optionalText(parameters['response_type']);
  if (responseType === undefined) throw refuseField('response_type', 'is required');
  if (responseType !== 'code') throw refuseField('response_type', 'must be code', 'unsupported_response_type');
}

/**
 * PKCE, with S256 only (RFC 7636; specification, Authentication 4).
 * @throws {@link ApiError} INVALID_REQUEST
 */
export function readCodeChallenge(parameters: RawParameters): string {
  const challenge = optionalText(parameters['code_challenge']);
  if (challenge === undefined) throw refuseField('code_challenge', 'is required');
  // An absent method would mean plain (RFC 7636, section 4.3).
  if (parameters['code_challenge_method'] !== 'S256') throw refuseField('code_challenge_method', 'must be S256');
  if (!isCodeChallenge(challenge)) throw refuseField('code_challenge', 'must be the base64url of a SHA-256 digest');
  return challenge;
}

/** @throws {@link ApiError} INVALID_SCOPE */
export function readScopes(parameters: RawParameters, app: RequestingApp): readonly Scope[] {
  return readScope(optionalText(parameters['scope']) ?? '', app.scopes, 'those that the app declared');
}

/** The parameters that a page or a link repeats, so that the request can be read again. */
export function carriedParameters(parameters: RawParameters): Record<string, string> {
  const given = PARAMETERS.map((name) => [name, parameters[name]] as const);
  return Object.fromEntries(
    given.filter((pair): pair is [(typeof PARAMETERS)[number], string] => typeof pair[1] === 'string'),
  );
}

const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

function selectApp(db: Database, id: string): Promise<AppRow | null> {
  return db.models.oauthApp.findByPk(id, {
    attributes: ['id', 'name', 'website', 'verification', 'redirect_uris', 'scopes', 'disabled_by'],
    raw: true,
  });
}

/** A parameter without a value counts as absent (RFC 6749, section 3.1). */
function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
