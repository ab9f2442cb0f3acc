import { type ActiveToken, OAUTH_PATHS } from '@plat/contract';
import { pause } from '../call/clock.ts';
import type { GrantTools } from './grant-context.ts';
import { createIntrospect } from './introspection.ts';
import { invalidAnswer } from './token-endpoint.ts';

/** Maximum number of introspections of a new token. On a cluster, another node may not have it yet. */
const TRIES_TO_IDENTIFY = 4;

/**
 * Returns tenant and user of a new access token, which the token response does not contain.
 * @throws {@link PlatformError} if the service sent no valid response, or reports the token as inactive
 */
export async function identify(
  { endpoint, clock }: Pick<GrantTools, 'endpoint' | 'clock'>,
  accessToken: string,
): Promise<ActiveToken> {
  const introspect = createIntrospect(endpoint, clock, 0);
  for (let tries = 1; ; tries++) {
    const answer = await introspect(accessToken);
    if (answer.active) return answer;
    if (tries >= TRIES_TO_IDENTIFY) throw invalidAnswer(OAUTH_PATHS.introspect, 'reports a new token as inactive');
    await pause(clock, 100 * 2 ** tries);
  }
}
