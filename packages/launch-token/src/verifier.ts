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
   * Whether `verify` checks signatures on Node's thread pool. For receivers under load: many at once then use more than
   * one processor, while one alone takes longer. False by default.
   */
  readonly pooled?: boolean | undefined;
}

/** Verifies the launch tokens of one issuer for one audience. It keeps the platform's keys, and no token. */
export interface LaunchVerifier {
  /**
   * Returns the claims of a launch token that is authentic, for this audience, in time and, with `once`, not used before.
   * Fetches the platform's keys when there are none yet, when they are too old, and for a key that is not among them.
   *
   * @throws {LaunchTokenError} with the `code` of what is wrong
   */
  verify(token: unknown): Promise<LaunchClaims>;
  /**
   * The same at once, with the keys at hand. It cannot wait, so it needs {@link hydrate} first; what it lacks is fetched in
   * the background for the next token. Keys that their max-age no longer covers serve it until the new ones are there, and
   * no longer than an hour after the last successful fetch.
   *
   * @throws {LaunchTokenError} with the `code` of what is wrong; `KEYS_UNAVAILABLE` when there are no keys at hand
   */
  verifySync(token: unknown): LaunchClaims;
  /**
   * Fetches the platform's keys, unless fresh ones are at hand: at the start of a process, so that its first launch waits
   * for nothing.
   *
   * @throws {LaunchTokenError} `KEYS_UNAVAILABLE`
   */
  hydrate(): Promise<void>;
}

/**
 * Makes a verifier. Make it once: it keeps the platform's keys.
 *
 * @example
 * const verifier = createLaunchVerifier({ issuer: 'https://platform.example.com', audience: 'https://me.example.com' });
 * const claims = await verifier.verify(form.get('launch_token'));
 *
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function createLaunchVerifier(options: NodeLaunchVerifierOptions): LaunchVerifier {
  checkNames('createLaunchVerifier', options, NODE_VERIFIER_NAMES);
  return makeVerifier(options);
}

/** The same without a check of the option names: an adapter has more options. */
export function makeVerifier(options: NodeLaunchVerifierOptions): LaunchVerifier {
  const policy = readPolicy(options);
  const once = readGuard(options);
  const read = createTokenReader(nodeCodec);
  const keys = createKeySet(readKeySource(options), importKey);
  const { pooled = false } = options;

  return Object.freeze({
    async verify(token: unknown): Promise<LaunchClaims> {
      const unproven = read(token);
      const key = keys.get(unproven.kid) ?? (await keys.find(unproven.kid));
      if (pooled) await proveInPool(unproven, key);
      else prove(unproven, key);
      const claims = readClaims(unproven.payload, policy);
      await once?.use(claims);
      return claims;
    },
    verifySync(token: unknown): LaunchClaims {
      if (once) throw new LaunchTokenError('OPTION_INVALID', 'A verifier with once cannot verify at once: use verify.');
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
