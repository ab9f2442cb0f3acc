import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto';
import type { OptionNames } from '@plat/contract';
import { type LaunchClaims, readClaims } from './claims.ts';
import { createTokenReader, type UnprovenToken } from './compact-token.ts';
import { LaunchTokenError } from './errors.ts';
import { createKeySet } from './keys/key-set.ts';
import type { RsaJwk } from './keys/rsa-jwk.ts';
import { nodeCodec } from './node-codec.ts';
import { checkNames } from './option-names.ts';
import { type LaunchVerifierOptions, readGuard, readKeySource, readPolicy, VERIFIER_NAMES } from './options.ts';

/** Options of the verifier on Node. */
export interface NodeLaunchVerifierOptions extends LaunchVerifierOptions {
  /**
   * True to check the signatures of `verify` on Node's thread pool; false by default. For receivers under load: many
   * checks then use more than one processor, while a single check takes longer.
   */
  readonly pooled?: boolean | undefined;
}

/**
 * Verifies the launch tokens of one issuer for one audience. It caches the keys of the platform, and stores no token.
 */
export interface LaunchVerifier {
  /**
   * Returns the claims of a launch token that is authentic, for this audience, in time and, with `once`, not used
   * before. Fetches the keys of the platform if there are none yet, if they are too old, or if the key of the token is
   * missing.
   * @throws {LaunchTokenError} with the `code` of the reason
   */
  verify(token: unknown): Promise<LaunchClaims>;
  /**
   * Same as {@link verify}, but synchronous and with the cached keys. Call {@link hydrate} first. Missing keys are
   * fetched in the background for the next token. Keys beyond their max-age serve until the new keys have arrived, at
   * most an hour after the last successful fetch.
   * @throws {LaunchTokenError} with the `code` of the reason. `KEYS_UNAVAILABLE` if no keys are cached, or if the key of
   *   the token is missing and the last fetch failed. `OPTION_INVALID` if the verifier has a `once` guard
   */
  verifySync(token: unknown): LaunchClaims;
  /**
   * Fetches the keys of the platform, unless fresh keys are cached. Call it at the start of a process, so that the
   * first launch does not wait.
   * @throws {LaunchTokenError} `KEYS_UNAVAILABLE`
   */
  hydrate(): Promise<void>;
}

/**
 * Creates a verifier. Create it once: it caches the keys of the platform.
 *
 * @example
 * const verifier = createLaunchVerifier({
 *   issuer: 'https://platform.example.com',
 *   audience: 'https://analytics.example.com',
 * });
 * const claims = await verifier.verify(form.get('launch_token'));
 *
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function createLaunchVerifier(options: NodeLaunchVerifierOptions): LaunchVerifier {
  checkNames('createLaunchVerifier', options, NODE_VERIFIER_NAMES);
  return makeVerifier(options);
}

/** Same as {@link createLaunchVerifier}, without a check of the option names, because an adapter has more options. */
export function makeVerifier(options: NodeLaunchVerifierOptions): LaunchVerifier {
  const policy = readPolicy(options);
  const once = readGuard(options);
  const read = createTokenReader(nodeCodec);
  const keys = createKeySet(readKeySource(options), importKey);
  const { pooled = false } = options;

  return Object.freeze<LaunchVerifier>({
    async verify(token) {
      const unproven = read(token);
      const key = keys.get(unproven.kid) ?? (await keys.find(unproven.kid));
      if (pooled) await proveInPool(unproven, key);
      else prove(unproven, key);
      const claims = readClaims(unproven.payload, policy);
      if (once) await once.use(claims);
      return claims;
    },
    verifySync(token) {
      if (once)
        throw new LaunchTokenError(
          'OPTION_INVALID',
          'A verifier with the option once cannot verify synchronously: use verify.',
        );
      const unproven = read(token);
      prove(unproven, keys.findNow(unproven.kid));
      return readClaims(unproven.payload, policy);
    },
    hydrate: () => keys.hydrate(),
  });
}

/** Names of the options; the compiler requires each. */
export const NODE_VERIFIER_NAMES: OptionNames<NodeLaunchVerifierOptions> = { ...VERIFIER_NAMES, pooled: true };

function importKey({ kty, n, e }: RsaJwk): KeyObject {
  return createPublicKey({ key: { kty, n, e }, format: 'jwk' });
}

function prove({ input, signature }: UnprovenToken, key: KeyObject): void {
  if (!verifySignature('sha256', input, key, signature)) throw new LaunchTokenError('SIGNATURE_INVALID');
}

function proveInPool({ input, signature }: UnprovenToken, key: KeyObject): Promise<void> {
  return new Promise((resolve, reject) => {
    verifySignature('sha256', input, key, signature, (error, matches) => {
      if (matches) resolve();
      else reject(error ?? new LaunchTokenError('SIGNATURE_INVALID'));
    });
  });
}
