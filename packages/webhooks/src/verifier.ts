import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { concat } from './bytes.ts';
import { readDelivery, readEvent, type UnprovenDelivery } from './delivery.ts';
import type { WebhookEvent } from './event.ts';
import type { Signed } from './headers.ts';
import { attempts, type Mismatch, mismatchError, type SecretMaterial } from './mismatch.ts';
import { readTimeOptions, type TimeOptions } from './policy.ts';
import type { RawBody } from './raw-body.ts';
import { listSecrets } from './secrets.ts';
import { hmacHex, signingKey } from './sign.ts';

/** How deliveries are verified. */
export interface VerifierOptions extends TimeOptions {
  /**
   * Signing secret of the endpoint, or several while one is being rotated: a delivery passes under any of them.
   * The key is the whole string, `whsec_` included.
   */
  readonly secrets: string | KeyObject | readonly (string | KeyObject)[];
}

/** Verifies the deliveries of one endpoint. It keeps nothing between calls, and prints no secret. */
export interface Verifier {
  /**
   * The event of a delivery, if it is authentic and in time.
   *
   * @param rawBody the body as it arrived, before any parser
   * @param signed the request's headers, or the value of `X-Platform-Signature` alone. With the headers,
   *   `X-Platform-Event` and `X-Platform-Event-Id` are also held against the signed body.
   * @throws {WebhookVerificationError} with the `code` of what is wrong and a `hint` at its cause
   */
  verify(rawBody: RawBody, signed: Signed): WebhookEvent;
  /**
   * The same without reading the event: header, timestamp and signature. For a proxy or a queue that passes the bytes on.
   *
   * @returns when it was signed, in Unix seconds
   * @throws {WebhookVerificationError} with the `code` of what is wrong and a `hint` at its cause
   */
  verifySignature(rawBody: RawBody, signed: Signed): number;
}

/**
 * Makes a verifier. Make it once: the keys are prepared here.
 *
 * @example
 * const verifier = createVerifier({ secrets: process.env.WEBHOOK_SECRET ?? '' });
 * const event = verifier.verify(rawBody, request.headers);
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const keys = listSecrets(options.secrets).map(signingKey);
  const time = readTimeOptions(options);

  function prove(delivery: UnprovenDelivery): void {
    const { t, digests } = delivery.signature;
    for (const key of keys) {
      if (matches(hmacHex(key, t, delivery.body), digests)) return;
    }
    const mismatch = { body: delivery.body, t, secrets: keys.map(materialOf) };
    throw mismatchError(confirmedCause(mismatch, digests), mismatch);
  }

  return Object.freeze({
    verify(rawBody: RawBody, signed: Signed): WebhookEvent {
      const delivery = readDelivery(rawBody, signed, time);
      prove(delivery);
      return readEvent(delivery.body, signed);
    },
    verifySignature(rawBody: RawBody, signed: Signed): number {
      const delivery = readDelivery(rawBody, signed, time);
      prove(delivery);
      return delivery.signature.timestamp;
    },
  });
}

/**
 * Verifies one delivery. {@link createVerifier} does the same for many, and finds a wrong set-up at the start.
 *
 * @throws {WebhookVerificationError} with the `code` of what is wrong and a `hint` at its cause
 * @throws {WebhookConfigurationError} as {@link createVerifier}
 */
export function verify(rawBody: RawBody, signed: Signed, options: VerifierOptions): WebhookEvent {
  return createVerifier(options).verify(rawBody, signed);
}

// Two buffers for all comparisons: nothing runs between the writes and the comparison.
const expected = Buffer.alloc(64);
const given = Buffer.alloc(64);

/** Whether a digest is among those given: all in lower-case hex, compared in constant time. */
function matches(digest: string, digests: readonly string[]): boolean {
  expected.write(digest, 'latin1');
  for (const each of digests) {
    given.write(each, 'latin1');
    if (timingSafeEqual(expected, given)) return true;
  }
  return false;
}

function confirmedCause(mismatch: Mismatch, digests: readonly string[]): string | undefined {
  for (const { key, message, hint } of attempts(mismatch)) {
    if (matches(createHmac('sha256', key).update(message).digest('hex'), digests)) return hint;
  }
  return undefined;
}

function materialOf(key: KeyObject): SecretMaterial {
  const bytes = key.export();
  return { bytes: concat(bytes), text: bytes.toString('utf8') };
}
