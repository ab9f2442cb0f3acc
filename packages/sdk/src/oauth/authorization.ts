import { OAUTH_PATHS, type Scope } from '@plat/contract';
import type { BaseUrl } from '../checks/base-url.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { conceal } from './conceal.ts';
import { challengeOf, randomText } from './pkce.ts';

/** Parameters of an authorization request. */
export interface AuthorizationRequest {
  /** Requested scopes: a subset of the scopes of the app. */
  readonly scopes: readonly Scope[];
  /**
   * Your own `state`; random when absent. At least 16 characters that cannot be guessed, bound to the session of the
   * user.
   */
  readonly state?: string | undefined;
  /** Redirect URI of this request; `redirectUri` of the {@link OAuth} when absent. */
  readonly redirectUri?: string | undefined;
}

/**
 * A started authorization. Store the whole object in the session of the user (it is plain JSON), redirect the browser
 * to `url`, and pass the object to `exchange` when the browser returns. `codeVerifier` is secret: use a server-side
 * session or an encrypted cookie. `console.log` does not show it.
 */
export interface PendingAuthorization {
  /** URL of the consent page. */
  readonly url: string;
  /** The `state` of the request. */
  readonly state: string;
  /** PKCE code verifier (RFC 7636). */
  readonly codeVerifier: string;
  /** Redirect URI of the request. */
  readonly redirectUri: string;
  /** Requested scopes. */
  readonly scopes: readonly Scope[];
}

/**
 * Starts an authorization. It creates the state and the PKCE verifier.
 * @throws {@link InvalidArgumentError} with the name of the invalid parameter
 */
export async function beginAuthorization(
  baseUrl: BaseUrl,
  clientId: string,
  request: AuthorizationRequest & { readonly redirectUri: string },
): Promise<PendingAuthorization> {
  const { scopes, redirectUri, state = randomText() } = request;
  if (
    !Array.isArray(scopes) ||
    scopes.length === 0 ||
    !scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  ) {
    throw new InvalidArgumentError('scopes', 'must be an array of at least one scope');
  }
  if (typeof state !== 'string' || !/^[\x20-\x7e]{16,}$/.test(state)) {
    throw new InvalidArgumentError('state', 'must be at least 16 printable ASCII characters that cannot be guessed');
  }
  checkRedirectUri(redirectUri);
  const codeVerifier = randomText();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: await challengeOf(codeVerifier),
    code_challenge_method: 'S256',
  });
  const url = `${baseUrl.origin}${baseUrl.prefix}${OAUTH_PATHS.authorize}?${query}`;
  const pending = { url, state, codeVerifier, redirectUri, scopes: [...scopes] };
  return conceal(pending, { ...pending, codeVerifier: '…' }, { json: false });
}

/** @throws {@link InvalidArgumentError} unless it is an absolute http or https URL. It is sent byte for byte */
export function checkRedirectUri(value: unknown): asserts value is string {
  if (typeof value === 'string' && /^https?:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value)) return;
  throw new InvalidArgumentError('redirectUri', 'must be an absolute http or https URL, as it is registered');
}
