import { OAUTH_PATHS } from '@plat/contract';
import { isVisibleAscii } from '../checks/visible-ascii.ts';
import type { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { invalidAnswer } from './token-endpoint.ts';

/** A pair of tokens from the service; times in ms. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
  readonly obtainedAt: number;
  readonly expiresAt: number;
}

/**
 * Reads the response of the token endpoint (RFC 6749, 5.1). The lifetime is counted from before the request, so that it
 * is never overestimated. An error is returned, not thrown: the tokens were issued, and are lost.
 */
export function readTokenPair(
  body: Readonly<Record<string, unknown>>,
  askedAt: number,
): TokenPair | InvalidResponseError {
  const { access_token, refresh_token, token_type, expires_in, scope } = body;
  if (!isVisibleAscii(access_token)) return invalidAnswer(OAUTH_PATHS.token, 'has no access_token');
  if (!isVisibleAscii(refresh_token)) return invalidAnswer(OAUTH_PATHS.token, 'has no refresh_token');
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') {
    return invalidAnswer(OAUTH_PATHS.token, 'has a token_type that is not Bearer');
  }
  if (typeof expires_in !== 'number' || !(expires_in > 0) || !Number.isFinite(expires_in)) {
    return invalidAnswer(OAUTH_PATHS.token, 'has no expires_in');
  }
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    scopes: typeof scope === 'string' ? scope.split(' ').filter((word) => word !== '') : [],
    obtainedAt: askedAt,
    expiresAt: askedAt + expires_in * 1000,
  };
}
