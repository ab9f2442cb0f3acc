import { type Bytes, concat, utf8 } from './bytes.ts';
import { readDelivery, readEvent, type UnprovenDelivery } from './delivery.ts';
import { WebhookConfigurationError } from './errors.ts';
import type { WebhookEvent } from './event.ts';
import type { Signed } from './headers.ts';
import { attempts, type Mismatch, mismatchError } from './mismatch.ts';
import { readTimeOptions, type TimeOptions } from './policy.ts';
import type { RawBody } from './raw-body.ts';
import { listSecrets } from './secrets.ts';

/** How deliveries are verified. */
export interface WebVerifierOptions extends TimeOptions {
  /**
   * Signing secret of the endpoint, or several while one is being rotated: a delivery passes under any of them.
   * The key is the whole string, `whsec_` included.
   */
  readonly secrets: string | readonly string[];
}

/** Verifies the deliveries of one endpoint by WebCrypto: the same results and codes as the Node entry, as promises. */
export interface WebVerifier {
  /**
   * The event of a delivery, if it is authentic and in time.
   *
   * @param rawBody the body as it arrived, before any parser
   * @param signed the request's headers, or the value of `X-Platform-Signature` alone. With the headers,
   *   `X-Platform-Event` and `X-Platform-Event-Id` are also held against the signed body.
   * @throws {WebhookVerificationError} with the `code` of what is wrong and a `hint` at its cause
   */
  verify(rawBody: RawBody, signed: Signed): Promise<WebhookEvent>;
  /**
   * The same without reading the event: header, timestamp and signature.
   *
   * @returns when it was signed, in Unix seconds
   * @throws {WebhookVerificationError} with the `code` of what is wrong and a `hint` at its cause
   */
  verifySignature(rawBody: RawBody, signed: Signed): Promise<number>;
}

/**
 * Makes a verifier that needs WebCrypto alone: for edge runtimes, Deno, Bun, workers. Make it once.
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`
 */
export function createVerifier(options: WebVerifierOptions): WebVerifier {
  const secrets = listSecrets(options.secrets).map((text) => ({ text, bytes: utf8(checkedText(text)) }));
  const time = readTimeOptions(options);
  let keys: Promise<readonly Key[]> | undefined;

  /** Proves a delivery, and gives the bytes that were proven: a copy that nobody can change meanwhile. */
  async function prove({ body, signature: { t, digests } }: UnprovenDelivery): Promise<Bytes> {
    const prefix = utf8(`${t}.`);
    const message = concat(prefix, typeof body === 'string' ? utf8(body) : body);
    // Imported at the first call: some runtimes have no crypto while modules are loaded.
    keys ??= Promise.all(secrets.map(({ bytes }) => importKey(bytes)));
    for (const key of await keys) {
      if (matches(await hmacHex(key, message), digests)) return message.subarray(prefix.length);
    }
    const mismatch = { body: message.subarray(prefix.length), t, secrets };
    throw mismatchError(
      await confirmedCause(mismatch, digests),
      typeof body === 'string' ? { ...mismatch, body } : mismatch,
    );
  }

  return Object.freeze({
    async verify(rawBody: RawBody, signed: Signed): Promise<WebhookEvent> {
      return readEvent(await prove(readDelivery(rawBody, signed, time)), signed);
    },
    async verifySignature(rawBody: RawBody, signed: Signed): Promise<number> {
      const delivery = readDelivery(rawBody, signed, time);
      await prove(delivery);
      return delivery.signature.timestamp;
    },
  });
}

/**
 * Verifies one delivery.
 *
 * @throws {WebhookVerificationError} with the `code` of what is wrong and a `hint` at its cause
 * @throws {WebhookConfigurationError} as {@link createVerifier}
 */
export async function verify(rawBody: RawBody, signed: Signed, options: WebVerifierOptions): Promise<WebhookEvent> {
  return createVerifier(options).verify(rawBody, signed);
}

/** WebCrypto's key type, which has no name of its own without the DOM's types. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function checkedText(secret: unknown): string {
  if (typeof secret === 'string') return secret;
  throw new WebhookConfigurationError('SECRET_INVALID', 'A signing secret must be a string.');
}

function importKey(bytes: Bytes): Promise<Key> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

async function hmacHex(key: Key, message: Bytes): Promise<string> {
  let hex = '';
  for (const byte of new Uint8Array(await crypto.subtle.sign('HMAC', key, message))) {
    hex += byte.toString(16).padStart(2, '0');
  }
  return hex;
}

/** Whether a digest is among those given: all 64 characters of lower-case hex, compared in constant time. */
function matches(digest: string, digests: readonly string[]): boolean {
  return digests.some((each) => {
    let difference = 0;
    for (let at = 0; at < 64; at += 1) difference |= digest.charCodeAt(at) ^ each.charCodeAt(at);
    return difference === 0;
  });
}

async function confirmedCause(mismatch: Mismatch, digests: readonly string[]): Promise<string | undefined> {
  for (const { key, message, hint } of attempts(mismatch)) {
    if (matches(await hmacHex(await importKey(key), message), digests)) return hint;
  }
  return undefined;
}
