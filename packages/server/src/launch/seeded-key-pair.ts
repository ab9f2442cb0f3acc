import { checkPrimeSync, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { randomBytes } from '../kernel/random.ts';

const E = 65_537n;

/**
 * Derives an RSA key pair from the seed of a development server, since no library accepts a seed. The key is never
 * secret.
 */
export function seededKeyPair(modulusBits: number): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  for (;;) {
    const [p, q] = [seededPrime(modulusBits / 2), seededPrime(modulusBits / 2)];
    const phi = (p - 1n) * (q - 1n);
    if (p === q || phi % E === 0n) continue;
    const d = inverse(E, phi);
    const numbers = { n: p * q, e: E, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
    const jwk = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, base64url(value)]));
    const privateKey = createPrivateKey({ key: { kty: 'RSA', ...jwk }, format: 'jwk' });
    return { publicKey: createPublicKey(privateKey), privateKey };
  }
}

/**
 * Returns the first prime from a drawn number on. Its two highest bits are set, so that a product of two has full
 * length.
 */
function seededPrime(bits: number): bigint {
  const drawn = BigInt(`0x${randomBytes(bits / 8, 'rsa prime').toString('hex')}`);
  let candidate = drawn | (3n << BigInt(bits - 2)) | 1n;
  while (!checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

/** Extended Euclidean algorithm. Returns the inverse of `value` modulo `modulus`. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [r, next, x, nextX] = [value % modulus, modulus, 1n, 0n];
  while (next !== 0n) {
    const quotient = r / next;
    [r, next] = [next, r - quotient * next];
    [x, nextX] = [nextX, x - quotient * nextX];
  }
  return ((x % modulus) + modulus) % modulus;
}

/** Encodes a number as base64url of its unsigned big-endian bytes (RFC 7518, section 2). */
function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
