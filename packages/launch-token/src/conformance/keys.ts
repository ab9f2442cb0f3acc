import { generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** Keys of a test issuer. Only published keys are in its key set. */
export interface TestKeys {
  /** Signs from the start. */
  readonly current: KeyPair;
  /** Signs after the rotation. */
  readonly next: KeyPair;
  /** Key of an attacker; never published. */
  readonly foreign: KeyPair;
}

/** An RSA key pair. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

let generated: Promise<TestKeys> | undefined;

/** Generates the keys once in a process, because that takes longer than the rest of a test. Each issuer has its own kids. */
export function testKeys(): Promise<TestKeys> {
  generated ??= Promise.all([newPair(), newPair(), newPair()]).then(([current, next, foreign]) => ({
    current,
    next,
    foreign,
  }));
  return generated;
}

/** Returns the published form of a key. */
export function publicJwk({ publicKey }: KeyPair, kid: string): JsonWebKey {
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
}

function newPair(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
}
