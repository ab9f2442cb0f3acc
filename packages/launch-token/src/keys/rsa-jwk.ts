import { decodeBase64url } from '../base64url.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../json.ts';

/** A public key that can sign launch tokens. */
export interface RsaJwk {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly n: string;
  readonly e: string;
}

/**
 * Returns the keys of a key set (RFC 7517, section 5) that can sign launch tokens. Other keys are ignored, as that
 * section requires. A kid that appears twice is ignored too, because it is ambiguous.
 * @throws Error if it is not a key set
 */
export function readKeySet(jwks: string): readonly RsaJwk[] {
  const { keys } = parseJsonObject(
    new TextEncoder().encode(jwks),
    (why) => new Error(`The key set is not usable. ${why}`),
  );
  if (!Array.isArray(keys)) throw new Error('The key set is not usable. It has no array of keys.');
  const usable = new Map<string, RsaJwk | undefined>();
  for (const item of keys) {
    const key = isJsonObject(item) ? readJwk(item) : undefined;
    if (key) usable.set(key.kid, usable.has(key.kid) ? undefined : key);
  }
  return [...usable.values()].filter((key) => key !== undefined);
}

function readJwk(jwk: JsonObject): RsaJwk | undefined {
  const { kty, kid, use, key_ops: operations, alg, n, e } = jwk;
  if (kty !== 'RSA' || typeof kid !== 'string' || kid === '') return undefined;
  if (use !== undefined && use !== 'sig') return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  if (alg !== undefined && alg !== 'RS256') return undefined;
  // A published private key: any reader can sign with it.
  if (Object.hasOwn(jwk, 'd')) return undefined;
  if (typeof n !== 'string' || typeof e !== 'string' || !isModulus(n) || !isExponent(e)) return undefined;
  return { kty, kid, n, e };
}

const MIN_BITS = 2048;
/** Maximum key size. A larger key costs more time than a launch is worth, and any caller could cause it. */
const MAX_BITS = 8192;

function isModulus(text: string): boolean {
  const bits = oddBits(text);
  return bits >= MIN_BITS && bits <= MAX_BITS;
}

/** Returns true for 3 to 32 bits: a large exponent makes every verification slow. */
function isExponent(text: string): boolean {
  const bits = oddBits(text);
  return bits >= 2 && bits <= 32;
}

/**
 * Returns the bits of an odd number in its canonical spelling (RFC 7518, section 6.3.1: no leading zero bytes),
 * otherwise 0.
 */
function oddBits(text: string): number {
  const bytes = decodeBase64url(text);
  const first = bytes?.[0];
  const last = bytes?.at(-1);
  if (!bytes || !first || last === undefined || last % 2 === 0) return 0;
  return bytes.length * 8 - Math.clz32(first) + 24;
}
