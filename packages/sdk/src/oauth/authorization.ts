import { OAUTH_PATHS, type Scope } from '@plat/contract';
import type { BaseUrl } from '../checks/base-url.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { conceal } from './conceal.ts';
import { challengeOf, randomText } from './pkce.ts';

/** What to ask a tenant for. */
export interface AuthorizationRequest {
  /** A subset of the scopes that the app is registered with. */
  readonly scopes: readonly Scope[];
  /** In place of a random one: at least 16 characters that nobody can guess, bound to the user's session. */
  readonly state?: string | undefined;
  /** Where the answer comes to, when not to the `redirectUri` of the {@link OAuth}. */
  readonly redirectUri?: string | undefined;
}

/**
 * An authorization that was begun. Keep it whole in the user's session (it is plain JSON), send the browser to `url`, and
 * give it to `exchange` when the browser comes back. `codeVerifier` is a secret of the two of you: a server-side session
 * or an encrypted cookie. `console.log` does not show it.
 */
export interface PendingAuthorization {
  /** The address of the consent page. */
  readonly url: string;
  /** The random `state` of the request. */
  readonly state: string;
  /** PKCE, RFC 7636. */
  readonly codeVerifier: string;
  /** The redirect URI of the request. */
  readonly redirectUri: string;
  /** The requested scopes. */
  readonly scopes: readonly Scope[];
}

/**
 * Begins an authorization: state and PKCE are made here.
 * @throws {@link InvalidArgumentError} naming what is wrong
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
    throw new InvalidArgumentError('state', 'must be at least 16 printable ASCII characters that nobody can guess');
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

/** @throws {@link InvalidArgumentError} unless it is an absolute http or https URL; it is sent byte for byte */
export function checkRedirectUri(value: unknown): asserts value is string {
  if (typeof value === 'string' && /^https?:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value)) return;
  throw new InvalidArgumentError('redirectUri', 'must be an absolute http or https URL, as it is registered');
}
