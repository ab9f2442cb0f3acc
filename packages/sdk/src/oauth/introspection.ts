import { type Introspection, OAUTH_PATHS } from '@plat/contract';
import type { Clock } from '../call/clock.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { invalidAnswer, type TokenEndpoint } from './token-endpoint.ts';

/** Requests the state of a token from the service. */
export type Introspect = (token: string) => Promise<Introspection>;

/** Maximum number of cached responses. */
const MAX_KEPT = 1_000;

/**
 * Creates an introspection with a cache of `keepFor` ms. It is the only authority on the state of a token. An active
 * response is therefore never cached beyond `keepFor` or the token's `exp` (specification, Authentication 12), and an
 * inactive one not at all.
 */
export function createIntrospect(endpoint: TokenEndpoint, clock: Clock, keepFor: number): Introspect {
  const kept = new Map<string, { readonly answer: Introspection; readonly until: number }>();
  return async (token) => {
    if (typeof token !== 'string' || token === '') throw new InvalidArgumentError('token', 'must be a string');
    const known = kept.get(token);
    if (known && clock.now() < known.until) return known.answer;
    kept.delete(token);
    const asked = clock.now();
    const answer = readIntrospection(await endpoint.send(OAUTH_PATHS.introspect, { token }));
    if (!answer.active || keepFor <= 0) return answer;
    const [oldest] = kept.keys();
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(token, { answer, until: Math.min(asked + keepFor, answer.exp * 1000) });
    return answer;
  };
}

/**
 * @throws {@link InvalidResponseError} unless it is an introspection response, so that no token is active by mistake
 */
function readIntrospection(body: Readonly<Record<string, unknown>>): Introspection {
  const { active, client_id, scope, exp, sub, tenant_id } = body;
  if (active === false) return { active };
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (active !== true || !isText(client_id) || !isText(scope) || !isText(sub) || !isText(tenant_id)) {
    throw invalidAnswer(OAUTH_PATHS.introspect, 'lacks fields');
  }
  if (!Number.isSafeInteger(exp) || typeof exp !== 'number') throw invalidAnswer(OAUTH_PATHS.introspect, 'has no exp');
  return { active, client_id, scope, exp, sub, tenant_id };
}
