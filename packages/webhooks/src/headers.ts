import { HEADERS } from '@plat/contract';
import { WebhookVerificationError } from './errors.ts';

/**
 * Request headers, with names in any case. Supported are a `Headers`, a `Map`, and a record of strings or arrays
 * (Node's `headers` and `headersDistinct`, `multiValueHeaders` of API Gateway). Arrays can be pairs, or a flat list of
 * names and values (Node's `rawHeaders`).
 */
export type DeliveryHeaders =
  | {
      /** Returns a header by its name in any case. */
      get(name: string): string | null | undefined;
    }
  | ReadonlyMap<string, string | readonly string[]>
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | readonly (readonly [name: string, value: string])[]
  | readonly string[];

/** The headers of a delivery, or only the value of its `X-Platform-Signature`. */
export type Signed = DeliveryHeaders | string;

/**
 * Returns the value of `X-Platform-Signature`.
 * @throws {WebhookVerificationError} `SIGNATURE_MISSING`, `SIGNATURE_REPEATED`, `SIGNATURE_MALFORMED`
 */
export function signatureOf(signed: Signed): string {
  if (typeof signed === 'string') return signed;
  const value = isValueList(signed) ? single(signed) : header(signed, HEADERS.signature);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    throw new WebhookVerificationError(
      'SIGNATURE_REPEATED',
      'There are several values; the platform sends the header once.',
    );
  }
  if (value === undefined || value === null) {
    throw new WebhookVerificationError('SIGNATURE_MISSING', hintForMissing(signed));
  }
  throw new WebhookVerificationError('SIGNATURE_MALFORMED', `It is a ${typeof value}; pass the string that arrived.`);
}

/**
 * Returns the value of a header: undefined or null if it is absent, an array if it is repeated.
 * @param name in lower case
 */
export function header(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  // A Map compares names with their case, so it is searched like a record.
  if ('get' in headers && typeof headers.get === 'function' && !isMap(headers)) return headers.get(name);
  if (isMap(headers) || Array.isArray(headers)) return single([...valuesIn(headers, name)].flat());
  // Allocates no array per header: this runs three times for each delivery.
  let found: unknown;
  let count = 0;
  for (const key of Object.keys(headers)) {
    if (key !== name && !isSameName(key, name)) continue;
    const value: unknown = Reflect.get(headers, key);
    if (value === undefined || value === null) continue;
    found = count === 0 ? value : [found, value].flat();
    count += 1;
  }
  return Array.isArray(found) ? single(found) : found;
}

function isSameName(key: unknown, name: string): boolean {
  return typeof key === 'string' && key.length === name.length && key.toLowerCase() === name;
}

function single(values: readonly unknown[]): unknown {
  return values.length > 1 ? values : values[0];
}

/** Detects a list of signature values, as in `headersDistinct`: a header name contains no equals sign. */
function isValueList(signed: Signed): signed is readonly string[] {
  return Array.isArray(signed) && typeof signed[0] === 'string' && signed[0].includes('=');
}

function isMap(headers: object): headers is ReadonlyMap<unknown, unknown> {
  return Object.prototype.toString.call(headers) === '[object Map]';
}

function* valuesIn(headers: ReadonlyMap<unknown, unknown> | readonly unknown[], name: string): Generator<unknown> {
  const isFlat = Array.isArray(headers) && !Array.isArray(headers[0]);
  for (const entry of isFlat ? pairsOf(headers) : headers) {
    if (!Array.isArray(entry)) continue;
    const [key, value]: readonly unknown[] = entry;
    if (isSameName(key, name) && value !== undefined && value !== null) yield value;
  }
}

function* pairsOf(flat: readonly unknown[]): Generator<readonly unknown[]> {
  for (let at = 0; at < flat.length; at += 2) yield flat.slice(at, at + 2);
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
