import { ApiError } from '@plat/sdk';
import { AuthorizationError, CallbackError, ReauthorizationRequired, RefreshError } from '@plat/sdk/oauth';
import { type Advice, CheckFailedError } from '../errors/cli-error.ts';
import { withoutCodes } from '../failure/failure.ts';
import { Stopped } from '../terminal/stopping.ts';

interface Tried {
  readonly appId: string;
  readonly redirectUri: string;
}

/**
 * Converts an error of a refused step to a failed check. Other errors, such as a lost connection, are returned
 * unchanged.
 */
export function failedStep(error: unknown, tried: Tried): unknown {
  if (error instanceof Stopped)
    return new CheckFailedError('NOT_IN_TIME', 'Stopped before a browser was redirected back');
  if (error instanceof ApiError) {
    return new CheckFailedError(error.rawCode, withoutCodes(error), adviceOn(error.code, tried));
  }
  if (error instanceof AuthorizationError) {
    const hint = `The redirect had error=${error.error}.`;
    return new CheckFailedError(error.code, error.message, { hint, ...adviceOn(error.error, tried) });
  }
  if (error instanceof CallbackError || error instanceof ReauthorizationRequired || error instanceof RefreshError) {
    return new CheckFailedError(error.code, error.message, adviceOn(error.code, tried));
  }
  return error;
}

function adviceOn(code: string, { appId, redirectUri }: Tried): Advice {
  switch (code) {
    case 'INVALID_REDIRECT_URI':
      return {
        hint: 'The URI is compared byte for byte. The update replaces the list, so include the existing URIs.',
        next: `plat apps update ${appId} --redirect-uris ${redirectUri}`,
      };
    case 'INVALID_REQUEST':
      return { next: `Check that the app exists: plat apps get ${appId}` };
    case 'INVALID_CLIENT_SECRET':
      return { next: `Check the secret, or create a new one: plat apps rotate-secret ${appId}` };
    case 'access_denied':
      return { next: 'If that was a mistake, run plat oauth try again. Only an owner of the tenant can consent.' };
    case 'invalid_scope':
      return { next: `See which scopes the app is registered with: plat apps get ${appId}` };
    case 'ISSUER_MISMATCH':
      return { next: 'If the issuer differs from the base URL, pass it as --issuer.' };
    default:
      return { next: 'Run plat oauth try again.' };
  }
}
