import { WebhookVerificationError } from './errors.ts';

/** A request body as received: its bytes, or its text decoded from UTF-8 without loss. */
export type RawBody = string | Uint8Array | ArrayBuffer;

const FIX =
  'Pass the bytes as they arrived: express.raw({ type: "application/json" }) in Express, ' +
  'new Uint8Array(await request.arrayBuffer()) with a Request, or one of the adapters of this package.';

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns the body if it can be hashed.
 * @throws {WebhookVerificationError} `BODY_NOT_RAW`, `BODY_NOT_UTF8`
 */
export function readRawBody(body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return wellFormed(body);
  // Both checks work across realms: test runners give programs their own Uint8Array.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isArrayBuffer(body)) return new Uint8Array(body);
  throw new WebhookVerificationError('BODY_NOT_RAW', hintForBody(body));
}

/** Refuses a text with an unpaired surrogate. It represents no bytes: the encoder would hash U+FFFD instead. */
function wellFormed(text: string): string {
  if (!UNPAIRED_SURROGATE.test(text)) return text;
  throw new WebhookVerificationError('BODY_NOT_UTF8', 'It holds an unpaired surrogate; pass the bytes instead.');
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

function hintForBody(body: unknown): string {
  if (body === undefined || body === null) return `It is ${body}: nothing has read the request. ${FIX}`;
  if (typeof body !== 'object') return `It is a ${typeof body}. ${FIX}`;
  if (has(body, 'then')) return 'It is a promise: await it.';
  if (has(body, 'arrayBuffer') || has(body, 'pipe') || has(body, 'getReader')) {
    return `It is a request or a stream, not its content. ${FIX}`;
  }
  if ('type' in body && body.type === 'Buffer' && 'data' in body) {
    return 'It is a Buffer that went through JSON: pass Buffer.from(body.data).';
  }
  return `It is a parsed object: a JSON parser ran before the verification. ${FIX}`;
}

function has(value: object, method: string): boolean {
  return typeof Reflect.get(value, method) === 'function';
}
