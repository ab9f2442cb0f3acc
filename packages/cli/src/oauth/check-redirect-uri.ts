import { OAUTH_PATHS } from '@plat/contract';
import { ApiError, PlatformError } from '@plat/sdk';
import { clientOf, NO_CREDENTIAL } from '../command/connect.ts';
import type { CommandContext } from '../command/context.ts';

/**
 * Checks app and redirect URI before a browser opens: it requests the authorization without a session, and expects
 * the refusal for the missing sign-in.
 * @throws {@link ApiError} `INVALID_REDIRECT_URI`, `INVALID_REQUEST`
 */
export async function checkRedirectUri(context: CommandContext, authorizeUrl: string): Promise<void> {
  const baseUrl = context.trace.connection?.baseUrl ?? '';
  const platform = await clientOf(context, { baseUrl, credential: NO_CREDENTIAL });
  const query = Object.fromEntries(new URL(authorizeUrl).searchParams);
  try {
    await platform.request('GET', OAUTH_PATHS.authorize, { query });
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status === 400;
    const isAnswer = error instanceof PlatformError && error.code !== 'CONNECTION_FAILED' && error.code !== 'TIMEOUT';
    if (isRefusal || !isAnswer) throw error;
  } finally {
    platform.close();
  }
}
