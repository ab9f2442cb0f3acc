import { HEADERS } from '@plat/contract';
import { WebhookVerificationError } from './errors.ts';

/** Request headers: a `Headers`, or a record such as Node's `request.headers`, names in any case. */
export type DeliveryHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers of a delivery, or the value of its `X-Platform-Signature` alone. */
export type Signed = DeliveryHeaders | string;

/**
 * The value of `X-Platform-Signature`.
 *
 * @throws {WebhookVerificationError} `SIGNATURE_MISSING`, `SIGNATURE_REPEATED`, `SIGNATURE_MALFORMED`
 */
export function signatureOf(signed: Signed): string {
  if (typeof signed === 'string') return signed;
  const value = Array.isArray(signed) ? signed : header(signed, HEADERS.signature);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    throw new WebhookVerificationError(
      'SIGNATURE_REPEATED',
      'It is an array; the platform sends one header, so pass one string.',
    );
  }
  if (value === undefined || value === null) {
    throw new WebhookVerificationError('SIGNATURE_MISSING', hintForMissing(signed));
  }
  throw new WebhookVerificationError('SIGNATURE_MALFORMED', `It is a ${typeof value}; pass the string that arrived.`);
}

/**
 * The value of a header: `undefined` or `null` where it was not sent, an array where it was sent in several.
 * The name is in lower case, as Node gives them; other spellings cost a scan.
 */
export function header(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name);
  const value: unknown = Reflect.get(headers, name);
  if (value !== undefined) return value;
  const values = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  return values.length > 1 ? values.map(([, each]) => each) : values[0]?.[1];
}

function hintForMissing(signed: unknown): string {
  if (typeof signed !== 'object' || signed === null) return 'No headers were passed.';
  if (Object.hasOwn(signed, 'headers')) return 'This is a request: pass its headers.';
  const others = [HEADERS.eventType, HEADERS.eventId, HEADERS.deliveryId];
  if (others.some((name) => typeof header(signed, name) === 'string')) {
    return 'The other X-Platform headers are there: something between dropped this one.';
  }
  return 'No X-Platform header is there: it may not be a delivery, or something between dropped them.';
}
