import { LIMITS, type OptionNames } from '@plat/contract';
import type { LaunchClaims } from '../claims.ts';
import { LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import { memoryOneTimeStore } from './memory-store.ts';
import type { OneTimeStore } from './store.ts';

/** Settings of {@link createOneTimeGuard}. */
export interface OneTimeGuardOptions {
  /** Where used tokens are remembered: in the memory of this process by default. */
  readonly store?: OneTimeStore | undefined;
  /** Put before each key, at most 100 characters; `launch:` by default. */
  readonly namespace?: string | undefined;
  /** The clock, in milliseconds: `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** Lets each launch token in once. */
export interface OneTimeGuard {
  /**
   * Takes a token whose claims were verified. Give the guard to a verifier or an adapter as `once`, and this is done for you.
   *
   * @throws {LaunchTokenError} `TOKEN_REPLAYED` when it was used before, `JTI_MISSING` when it has no `jti`,
   *   `GUARD_UNAVAILABLE` when the store fails
   */
  use(claims: Pick<LaunchClaims, 'iss' | 'aud' | 'jti' | 'exp'>): Promise<void>;
}

/**
 * Makes a guard that lets each launch token in once, for receivers where a second session of the same launch must not be
 * opened. Several processes need a store that they share.
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
  if (typeof store?.claim !== 'function') throw invalid('store has to have the function claim.');
  if (typeof namespace !== 'string' || namespace.length > 100) throw invalid('namespace has to be a short string.');
  if (typeof now !== 'function') throw invalid('now has to be a function that returns milliseconds.');
  return Object.freeze({
    async use({ iss, aud, jti, exp }: Pick<LaunchClaims, 'iss' | 'aud' | 'jti' | 'exp'>): Promise<void> {
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
          'A page that was reloaded, a form that was sent twice, or a replay.',
        );
      }
    },
  });
}

const OPTION_NAMES: OptionNames<OneTimeGuardOptions> = { store: true, namespace: true, now: true };

/** Beyond `exp`: the largest leeway of a verifier, and as much again for the clocks of receivers that are apart. */
const KEPT_BEYOND_SECONDS = 2 * LIMITS.launchTokenLeewaySeconds;

/** A text of one length, whatever the issuer and the audience. Nothing of the token can be read from it. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function invalid(message: string): LaunchTokenError {
  return new LaunchTokenError('OPTION_INVALID', message);
}
