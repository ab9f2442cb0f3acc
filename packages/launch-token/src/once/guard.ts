import { LIMITS, type OptionNames } from '@plat/contract';
import type { LaunchClaims } from '../claims.ts';
import { LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import { memoryOneTimeStore } from './memory-store.ts';
import type { OneTimeStore } from './store.ts';

/** Options of {@link createOneTimeGuard}. */
export interface OneTimeGuardOptions {
  /** Store of the used tokens; by default one in the memory of the process that creates the guard. */
  readonly store?: OneTimeStore | undefined;
  /** Prefix of each key, at most 100 characters; `launch:` by default. */
  readonly namespace?: string | undefined;
  /** Clock in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** Accepts each launch token only once. */
export interface OneTimeGuard {
  /**
   * Marks a token with verified claims as used. A verifier or adapter with this guard as `once` calls it for you.
   * @throws {LaunchTokenError} `TOKEN_REPLAYED` if it was used before, `JTI_MISSING` if it has no `jti`,
   * `GUARD_UNAVAILABLE` if the store fails
   */
  use(claims: Pick<LaunchClaims, 'iss' | 'aud' | 'jti' | 'exp'>): Promise<void>;
}

/**
 * Creates a guard that accepts each launch token only once, for receivers that must not open a second session for the
 * same launch. Several processes need a shared store.
 *
 * @example
 * const once = createOneTimeGuard({ store: sqlOneTimeStore({ query, dialect: 'postgresql' }) });
 * const verifier = createLaunchVerifier({ issuer, audience, once });
 *
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function createOneTimeGuard(options: OneTimeGuardOptions = {}): OneTimeGuard {
  checkNames('createOneTimeGuard', options, OPTION_NAMES);
  const { store = memoryOneTimeStore(), namespace = 'launch:', now = Date.now } = options;
  if (typeof store?.claim !== 'function') throw invalid('store must have the function claim.');
  if (typeof namespace !== 'string' || namespace.length > 100)
    throw invalid('namespace must be a string of at most 100 characters.');
  if (typeof now !== 'function') throw invalid('now must be a function that returns milliseconds.');
  return Object.freeze<OneTimeGuard>({
    async use({ iss, aud, jti, exp }) {
      if (jti === undefined) throw new LaunchTokenError('JTI_MISSING', 'The platform that issued it is too old.');
      const key = `${namespace}${await digest(JSON.stringify([iss, aud, jti]))}`;
      const leaseSeconds = Math.max(0, Math.ceil(exp - now() / 1000)) + KEPT_BEYOND_SECONDS;
      let outcome: string;
      try {
        outcome = await store.claim({ key, token: crypto.randomUUID(), leaseSeconds });
      } catch (cause) {
        throw new LaunchTokenError('GUARD_UNAVAILABLE', 'The store failed.', { cause });
      }
      if (outcome !== 'claimed') {
        throw new LaunchTokenError(
          'TOKEN_REPLAYED',
          'Likely causes: a reloaded page, a form that was sent twice, or a replay.',
        );
      }
    },
  });
}

const OPTION_NAMES: OptionNames<OneTimeGuardOptions> = { store: true, namespace: true, now: true };

/** Seconds beyond `exp`: the largest leeway of a verifier, and the same again for differing clocks of receivers. */
const KEPT_BEYOND_SECONDS = 2 * LIMITS.launchTokenLeewaySeconds;

/** Returns a text of fixed length for any issuer and audience. It reveals nothing of the token. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function invalid(message: string): LaunchTokenError {
  return new LaunchTokenError('OPTION_INVALID', message);
}
