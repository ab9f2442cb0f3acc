import { LIMITS } from '@plat/contract';
import type { Bytes, Codec } from './codec.ts';
import { LaunchTokenError } from './errors.ts';
import { type JsonObject, parseJsonObject } from './json.ts';

/** A token taken apart, its header checked; nothing of it is proven. */
export interface UnprovenToken {
  readonly kid: string;
  /** What is signed: header and payload as they stand in the token. */
  readonly input: Bytes;
  readonly signature: Bytes;
  /** Not looked into before the signature is checked. */
  readonly payload: Bytes;
}

/** Headers that are remembered: the platform's tokens have one for each of its keys. */
const MAX_HEADERS = 16;

/**
 * Makes what takes a compact JWS (RFC 7515, section 7.1) apart.
 *
 * @param codec the runtime's; all give the same
 * @returns a function that throws {@link LaunchTokenError} `TOKEN_MISSING`, `TOKEN_TOO_LARGE`, `TOKEN_MALFORMED`,
 *   `HEADER_INVALID`, `HEADER_NOT_ALLOWED`, `ALGORITHM_NOT_ALLOWED`, `TYPE_NOT_ALLOWED`, `KID_MISSING`
 */
export function createTokenReader(codec: Codec): (token: unknown) => UnprovenToken {
  /** The kids of headers that may be tried, by their spelling. Whoever fills it up costs others a microsecond. */
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
    // A character is a byte or more.
    if (token.length > LIMITS.launchTokenBytes) throw new LaunchTokenError('TOKEN_TOO_LARGE');
    const first = token.indexOf('.');
    const second = token.indexOf('.', first + 1);
    // One dot more would be in the signature, where it is no digit.
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
 * Parameters that change what is signed, or bring a key along (RFC 8725, sections 2.9, 3.6 and 3.10). Some would be without
 * effect here; no launch token has any of them, and whoever sends one is trying something.
 */
const REFUSED_PARAMETERS = ['crit', 'b64', 'zip', 'enc', 'jwk', 'jku', 'x5u', 'x5c'] as const;

/** Gives the kid of a header that may be tried. */
function readHeader(bytes: Bytes): string {
  const header: JsonObject = parseJsonObject(bytes, (why) => new LaunchTokenError('HEADER_INVALID', why));
  for (const name of REFUSED_PARAMETERS) {
    if (Object.hasOwn(header, name)) throw new LaunchTokenError('HEADER_NOT_ALLOWED', `It is ${name}.`);
  }
  const { alg, typ, kid } = header;
  // One algorithm, chosen here and never by the token (RFC 8725, section 3.1).
  if (alg !== 'RS256') throw new LaunchTokenError('ALGORITHM_NOT_ALLOWED');
  if (typ !== undefined && typ !== 'JWT') throw new LaunchTokenError('TYPE_NOT_ALLOWED');
  if (typeof kid !== 'string' || kid === '') throw new LaunchTokenError('KID_MISSING');
  return kid;
}
