import { LIMITS } from '@plat/contract';
import type { Bytes, Codec } from './codec.ts';
import { LaunchTokenError } from './errors.ts';
import { type JsonObject, parseJsonObject } from './json.ts';

/** The parts of a token with a checked header. Its signature is not verified yet. */
export interface UnprovenToken {
  readonly kid: string;
  /** The signed bytes: header and payload as they stand in the token. */
  readonly input: Bytes;
  readonly signature: Bytes;
  /** Payload bytes. They must not be parsed before the signature is verified. */
  readonly payload: Bytes;
}

/** Maximum number of cached headers. Tokens of the platform have one header per key. */
const MAX_HEADERS = 16;

/**
 * Creates a parser for the compact JWS form (RFC 7515, section 7.1).
 * @param codec of the runtime; all codecs return the same
 * @returns a function that throws {@link LaunchTokenError} `TOKEN_MISSING`, `TOKEN_TOO_LARGE`, `TOKEN_MALFORMED`,
 * `HEADER_INVALID`, `HEADER_NOT_ALLOWED`, `ALGORITHM_NOT_ALLOWED`, `TYPE_NOT_ALLOWED`, `KID_MISSING`
 */
export function createTokenReader(codec: Codec): (token: unknown) => UnprovenToken {
  /**
   * Kids of valid headers, by the spelling of the header. If an attacker fills the cache, other tokens cost a
   * microsecond more.
   */
  const kids = new Map<string, string>();

  function kidOf(header: string): string {
    const known = kids.get(header);
    if (known !== undefined) return known;
    const kid = readHeader(decode(header, 'header', codec));
    if (kids.size >= MAX_HEADERS) kids.clear();
    kids.set(header, kid);
    return kid;
  }

  return (token) => {
    if (typeof token !== 'string') {
      throw new LaunchTokenError('TOKEN_MISSING', `What was passed is ${token === null ? 'null' : typeof token}.`);
    }
    if (token === '') throw new LaunchTokenError('TOKEN_MISSING', 'It is empty.');
    // A character has at least one byte.
    if (token.length > LIMITS.launchTokenBytes) throw new LaunchTokenError('TOKEN_TOO_LARGE');
    const first = token.indexOf('.');
    const second = token.indexOf('.', first + 1);
    // A further dot would be in the signature, where it is an invalid character.
    if (second < 0) throw new LaunchTokenError('TOKEN_MALFORMED', 'It has fewer than three parts.');
    const kid = kidOf(token.slice(0, first));
    const payload = decode(token.slice(first + 1, second), 'payload', codec);
    const signature = decode(token.slice(second + 1), 'signature', codec);
    return { kid, input: codec.encodeAscii(token.slice(0, second)), signature, payload };
  };
}

function decode(part: string, name: 'header' | 'payload' | 'signature', codec: Codec): Bytes {
  const bytes = codec.decodeBase64url(part);
  if (bytes !== undefined && bytes.length > 0) return bytes;
  throw new LaunchTokenError('TOKEN_MALFORMED', `Its ${name} is at fault.`);
}

/**
 * Parameters that change the signed data or contain a key (RFC 8725, sections 2.9, 3.6 and 3.10). Some have no effect
 * here. No launch token has any of them, so a token that does is an attack.
 */
const REFUSED_PARAMETERS = ['crit', 'b64', 'zip', 'enc', 'jwk', 'jku', 'x5u', 'x5c'] as const;

/** Returns the kid of a valid header. */
function readHeader(bytes: Bytes): string {
  const header: JsonObject = parseJsonObject(bytes, (why) => new LaunchTokenError('HEADER_INVALID', why));
  for (const name of REFUSED_PARAMETERS) {
    if (Object.hasOwn(header, name)) throw new LaunchTokenError('HEADER_NOT_ALLOWED', `It is ${name}.`);
  }
  const { alg, typ, kid } = header;
  // The only algorithm. It is never chosen by the token (RFC 8725, section 3.1).
  if (alg !== 'RS256') throw new LaunchTokenError('ALGORITHM_NOT_ALLOWED');
  if (typ !== undefined && typ !== 'JWT') throw new LaunchTokenError('TYPE_NOT_ALLOWED');
  if (typeof kid !== 'string' || kid === '') throw new LaunchTokenError('KID_MISSING');
  return kid;
}
