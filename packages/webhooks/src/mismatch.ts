import { type Bytes, concat, utf8 } from './bytes.ts';
import { WebhookVerificationError } from './errors.ts';

/** A secret as the HMAC uses it, and as its owner typed it. */
export interface SecretMaterial {
  /** Position of the secret in `secrets`. */
  readonly index: number;
  readonly bytes: Bytes;
  readonly text: string;
}

/** An HMAC to compute in search of the cause. If it equals one of the digests, `hint` names the cause. */
export interface Attempt {
  readonly key: Bytes;
  readonly message: Bytes;
  readonly hint: string;
}

/** A delivery whose signature did not match. */
export interface Mismatch {
  readonly body: string | Uint8Array;
  readonly t: string;
  readonly secrets: readonly SecretMaterial[];
}

/** Limits of a refusal beyond the comparison: hashed bytes, tried secrets. */
const MAX_HASHED_BYTES = 1024 * 1024;
/** Four times the largest event. Any caller can send a larger body, and to parse and write it again takes up to 70 ms. */
const MAX_BODY_BYTES = 16 * 1024;
const MAX_SECRETS = 4;

/**
 * Generates likely alterations of a delivery that does not match: small changes of the body or the secret, as programs
 * make them. A guess is confirmed only by a digest from the holder of the true secret, so the response reveals nothing
 * to an attacker. The number of guesses is limited, because any caller can trigger the search.
 */
export function* attempts({ body, t, secrets }: Mismatch): Generator<Attempt> {
  if (body.length > MAX_BODY_BYTES) return;
  const bytes = typeof body === 'string' ? utf8(body) : concat(body);
  const signed = utf8(`${t}.`);
  const tried = secrets.slice(0, MAX_SECRETS);
  let left = MAX_HASHED_BYTES;
  for (const { index, text } of tried) {
    for (const [key, what] of otherKeys(text)) {
      left -= bytes.length;
      if (left < 0) return;
      yield { key, message: concat(signed, bytes), hint: `The body is intact, but secrets[${index}] ${what}.` };
    }
  }
  for (const [variant, hint] of otherMessages(bytes, signed)) {
    for (const { bytes: key } of tried) {
      left -= variant.length;
      if (left < 0) return;
      yield { key, message: variant, hint };
    }
  }
}

/** Creates the error, with the cause that an attempt confirmed or else the most likely one. */
export function mismatchError(confirmed: string | undefined, { body, secrets }: Mismatch): WebhookVerificationError {
  return new WebhookVerificationError('SIGNATURE_MISMATCH', confirmed ?? likeliestCause(body, secrets));
}

function* otherKeys(secret: string): Generator<[key: Bytes, what: string]> {
  const trimmed = secret.trim();
  if (trimmed !== secret) yield [utf8(trimmed), 'has white space around it: trim it where it is read'];
  const bare = trimmed.replace(/^(["'`])(.*)\1$/s, '$2');
  if (bare !== trimmed) yield [utf8(bare), 'is in quotes: the quotes became part of it'];
  const unescaped = trimmed.replace(/(\\[nrt])+$/, '');
  if (unescaped !== trimmed) yield [utf8(unescaped), 'ends in an escape such as \\n, spelt out'];
  const named = bare.replace(/^[A-Za-z_][A-Za-z0-9_]*=/, '');
  if (named !== bare) yield [utf8(named), 'begins with the name of its variable'];
  if (bare.startsWith('whsec_whsec_')) yield [utf8(bare.slice('whsec_'.length)), 'has its prefix whsec_ twice'];
  const joined = bare.split(/[\s,;]+/, MAX_SECRETS + 1).filter((part) => part !== '');
  if (joined.length > 1 && joined.length <= MAX_SECRETS) {
    for (const part of joined) yield [utf8(part), 'is several secrets in one string: pass an array of them'];
  }
  if (!bare.startsWith('whsec_')) {
    yield [utf8(`whsec_${bare}`), 'lacks its prefix: the key is the whole string, whsec_ included'];
    return;
  }
  const rest = bare.slice('whsec_'.length);
  const strip = 'must be the key as a whole: the sender left whsec_ out';
  yield [utf8(rest), strip];
  const decoded = base64(rest);
  if (decoded) yield [decoded, 'must be the key as text: the sender decoded it from base64'];
}

function* otherMessages(body: Bytes, signed: Bytes): Generator<[message: Bytes, hint: string]> {
  for (const [variant, hint] of otherBodies(body)) yield [concat(signed, variant), hint];
  yield [body, 'The sender hashed the body alone; `<t>.<raw_body>` is what counts.'];
}

function* otherBodies(body: Bytes): Generator<[body: Bytes, hint: string]> {
  const bom = Uint8Array.of(0xef, 0xbb, 0xbf);
  if (bom.every((byte, at) => body[at] === byte)) {
    yield [body.subarray(3), 'Something put a byte order mark before the body.'];
  } else {
    yield [concat(bom, body), 'The body was sent with a byte order mark that something took off: pass the raw bytes.'];
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const decoded = base64(text.trim());
  if (decoded) yield [decoded, BASE64_BODY];
  const bytes = latin1(text);
  if (bytes) yield [bytes, 'The body was decoded as latin1: decode it as UTF-8, or pass the bytes.'];
  if (text.endsWith('\n')) {
    yield [utf8(text.replace(/\r?\n$/, '')), 'Something added a newline at the end of the body: pass the raw bytes.'];
  }
  yield [utf8(`${text}\n`), 'The newline at the end of the body was taken off: pass the raw bytes, untrimmed.'];
  if (text.trim() !== text) yield [utf8(text.trim()), 'Something added white space around the body.'];
  if (text.includes('\r\n')) yield [utf8(text.replaceAll('\r\n', '\n')), 'Line ends were changed from LF to CRLF.'];
  const parsed = parse(text);
  for (const [value, how] of [
    [parsed, 'with other spacing or escapes'],
    [inWireOrder(parsed), 'with its members in another order'],
  ] as const) {
    const written = stringify(value);
    const hint = `The body was parsed and written again ${how}: verify the raw bytes before parsing.`;
    if (written !== undefined) yield [utf8(written), hint];
  }
}

/** Returns the members of the envelope in the order in which the platform writes them. */
function inWireOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = new Map(Object.entries(value));
  const ordered = ['id', 'object', 'type', 'created', 'tenant_id', 'data'].filter((name) => entries.has(name));
  return Object.fromEntries([...ordered, ...entries.keys()].map((name) => [name, entries.get(name)]));
}

const BASE64_BODY =
  'The body is base64: decode it first. API Gateway and Lambda say so in isBase64Encoded: ' +
  "pass Buffer.from(event.body, 'base64').";

/** Test tools such as supertest and `inject` of Fastify write a Uint8Array as JSON. */
const BYTES_AS_OBJECT =
  'The body is an array of bytes that was written as a JSON object: send a Buffer or the text, which signTestEvent returns as body.';

const PREFIXES: readonly (readonly [prefix: string, what: string])[] = [
  ['plat_live_', 'an API key'],
  ['plat_test_', 'an API key'],
  ['plat_cs_', 'the client secret of an OAuth app'],
  ['plat_at_', 'an access token'],
  ['plat_rt_', 'a refresh token'],
  ['whe_', 'the id of an endpoint'],
];

/** Names the alteration of a body that cannot be JSON; undefined if there is no sign of one. */
export function hintForUnreadableBody(body: string | Uint8Array): string | undefined {
  if (body.length === 0) return 'The body is empty: something read the request stream before.';
  if (body instanceof Uint8Array && body[0] === 0x1f && body[1] === 0x8b) return 'The body is still compressed (gzip).';
  if (body === '[object Object]') return 'The body is a parsed object turned into a string: pass the raw bytes.';
  const start = typeof body === 'string' ? body.slice(0, 5) : String.fromCharCode(...body.subarray(0, 5));
  if (start === '{"0":') return BYTES_AS_OBJECT;
  // Base64 of an object: of `{"`, or of a brace and white space.
  return /^(ey[A-DI-L]|ew[k-r0-3])/.test(start) ? BASE64_BODY : undefined;
}

function likeliestCause(body: string | Uint8Array, secrets: readonly SecretMaterial[]): string {
  const unreadable = hintForUnreadableBody(body);
  if (unreadable) return unreadable;
  for (const { index, text } of secrets) {
    const confused = PREFIXES.find(([prefix]) => text.trim().startsWith(prefix));
    if (confused) return `secrets[${index}] is ${confused[1]}; the signing secret of the endpoint is needed (whsec_…).`;
  }
  if (typeof body === 'string' && body.includes('\uFFFD')) {
    return 'The body holds U+FFFD: it was decoded from bytes with loss. Pass the bytes.';
  }
  return (
    'The secret may be that of another endpoint (each has its own) or one from before a rotation; ' +
    'if it is right, something changed the body: verify the raw bytes, before any parser.'
  );
}

function base64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns the bytes of a text that was decoded as latin1; undefined if it is ASCII, or was not decoded so. */
function latin1(text: string): Bytes | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: latin1 has all of these
  if (!/^[\x00-\xff]*$/.test(text) || /^[\x00-\x7f]*$/.test(text)) return undefined;
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined for a value that is nested too deeply, which any caller can send. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
