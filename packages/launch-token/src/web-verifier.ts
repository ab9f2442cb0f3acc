import { type LaunchClaims, readClaims } from './claims.ts';
import { webCodec } from './codec.ts';
import { createTokenReader, type UnprovenToken } from './compact-token.ts';
import { LaunchTokenError } from './errors.ts';
import { createKeySet } from './keys/key-set.ts';
import type { RsaJwk } from './keys/rsa-jwk.ts';
import { checkNames } from './option-names.ts';
import { type LaunchVerifierOptions, readGuard, readKeySource, readPolicy, VERIFIER_NAMES } from './options.ts';

/** Verifies launch tokens with WebCrypto: same results and codes as the verifier on Node, as promises. */
export interface WebLaunchVerifier {
  /**
   * Returns the claims of a launch token that is authentic, for this audience, in time and, with `once`, not used
   * before. Fetches the keys of the platform if there are none yet, if they are too old, or if the key of the token is
   * missing.
   * @throws {LaunchTokenError} with the `code` of the reason
   */
  verify(token: unknown): Promise<LaunchClaims>;
  /**
   * Fetches the keys of the platform, unless fresh keys are cached.
   * @throws {LaunchTokenError} `KEYS_UNAVAILABLE`
   */
  hydrate(): Promise<void>;
}

/**
 * Creates a verifier that requires only WebCrypto and `fetch`: for workers, Deno, Bun, edge runtimes. Create it once:
 * it caches the keys of the platform.
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function createLaunchVerifier(options: LaunchVerifierOptions): WebLaunchVerifier {
  checkNames('createLaunchVerifier', options, VERIFIER_NAMES);
  return makeVerifier(options);
}

/** Same as {@link createLaunchVerifier}, without a check of the option names, because an adapter has more options. */
export function makeVerifier(options: LaunchVerifierOptions): WebLaunchVerifier {
  const policy = readPolicy(options);
  const once = readGuard(options);
  const read = createTokenReader(webCodec);
  const keys = createKeySet(readKeySource(options), importKey);

  return Object.freeze<WebLaunchVerifier>({
    async verify(token) {
      const unproven = read(token);
      const key = keys.get(unproven.kid) ?? (await keys.find(unproven.kid));
      await prove(unproven, key);
      const claims = readClaims(unproven.payload, policy);
      await once?.use(claims);
      return claims;
    },
    hydrate: () => keys.hydrate(),
  });
}

/** WebCrypto's key type. Without the DOM types it has no name. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

function importKey({ kty, n, e }: RsaJwk): Promise<Key> {
  return crypto.subtle.importKey('jwk', { kty, n, e }, RS256, false, ['verify']);
}

async function prove({ input, signature }: UnprovenToken, key: Key): Promise<void> {
  if (!(await crypto.subtle.verify(RS256, key, signature, input))) throw new LaunchTokenError('SIGNATURE_INVALID');
}
