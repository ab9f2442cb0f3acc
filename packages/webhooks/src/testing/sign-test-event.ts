import { randomBytes } from 'node:crypto';
import {
  type EventOf,
  type EventPayloads,
  type EventType,
  ID_DIGITS,
  isEventType,
  type OptionNames,
} from '@plat/contract';
import { type Bytes, utf8 } from '../bytes.ts';
import { WebhookConfigurationError } from '../errors.ts';
import type { UnknownEvent } from '../event.ts';
import { checkOptions } from '../options.ts';
import { signDelivery } from '../sign.ts';
import { SAMPLE_PAYLOADS, SAMPLE_TENANT_ID } from './samples.ts';

/** The secret of test deliveries where none is given. It signs nothing real. */
export const TEST_SECRET = 'whsec_test_secret_for_receivers_only';

const FLAWS = [
  'BODY_NOT_EVENT',
  'BODY_NOT_JSON',
  'BODY_NOT_UTF8',
  'EVENT_HEADER_MISMATCH',
  'SIGNATURE_MALFORMED',
  'SIGNATURE_MISMATCH',
  'SIGNATURE_MISSING',
  'SIGNATURE_REPEATED',
  'TIMESTAMP_IN_FUTURE',
  'TIMESTAMP_INVALID',
  'TIMESTAMP_TOO_OLD',
] as const;

/** Ways in which a delivery can be wrong, each named after the code that a verifier must answer it with. */
export type Flaw = (typeof FLAWS)[number];

/** What a test delivery differs in from the sample of its type. */
export interface TestEventOptions<D> {
  /** Signing secret, or several: {@link TEST_SECRET} by default. */
  readonly secret?: string | readonly string[] | undefined;
  /** Members of `data` to replace. */
  readonly data?: Partial<D> | undefined;
  /** Id of the event: a new one each time by default. Give the same twice to play a duplicate. */
  readonly id?: string | undefined;
  /** Id of the tenant; that of the sample event when absent. */
  readonly tenantId?: string | undefined;
  /** ISO 8601: the moment of signing by default. */
  readonly created?: string | undefined;
  /** When it is signed, in Unix seconds: now by default. */
  readonly timestamp?: number | undefined;
  /** Makes a delivery that a receiver must refuse with this code. `SIGNATURE_MISMATCH` is a body changed after signing. */
  readonly flaw?: Flaw | undefined;
}

/** A signed delivery, as it goes over the wire. */
export interface TestDelivery<E> {
  /** The event that was signed. */
  readonly event: E;
  /** The body as text; {@link TestDelivery.rawBody} where the flaw lies in its bytes. */
  readonly body: string;
  /** The signed bytes. */
  readonly rawBody: Uint8Array<ArrayBuffer>;
  /** All headers of a delivery, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `X-Platform-Signature`; empty with the flaw `SIGNATURE_MISSING`. */
  readonly signature: string;
  /** Time of the signature in Unix seconds. */
  readonly timestamp: number;
  /** The same as a `Request` of the Fetch API. */
  toRequest(url?: string): Request;
}

/**
 * A signed delivery for the tests of a receiver: a whole, typed sample of the event type, or any other type to try
 * what a later version of the platform may send.
 *
 * @example
 * const { rawBody, headers } = signTestEvent('client.created', { secret, data: { name: 'Acme' } });
 * const response = await app.request('/webhooks', { method: 'POST', body: rawBody, headers });
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID` for an option or a flaw that does not exist; and as signDelivery
 */
export function signTestEvent<T extends EventType>(
  type: T,
  options?: TestEventOptions<EventPayloads[T]>,
): TestDelivery<EventOf<T>>;
export function signTestEvent(
  type: string,
  options?: TestEventOptions<Readonly<Record<string, unknown>>>,
): TestDelivery<UnknownEvent>;
export function signTestEvent(type: string, options: TestEventOptions<object> = {}): TestDelivery<object> {
  checkOptions('signTestEvent', options, OPTION_NAMES);
  checkFlaw(options.flaw);
  const now = options.timestamp ?? Math.floor(Date.now() / 1000);
  const timestamp = now + (SHIFTS[options.flaw ?? ''] ?? 0);
  const event = {
    id: options.id ?? `evt_${testIdTail()}`,
    object: 'event',
    type,
    created: options.created ?? new Date(now * 1000).toISOString(),
    tenant_id: options.tenantId ?? SAMPLE_TENANT_ID,
    data: { ...(isEventType(type) ? SAMPLE_PAYLOADS[type] : { object: 'sample' }), ...options.data },
  };
  const signed = flawedBody(JSON.stringify(event), options.flaw);
  const { secret = TEST_SECRET } = options;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signature = flawedSignature(signDelivery({ body: signed, secrets, timestamp }), timestamp, options.flaw);
  // Changed after the signature was made: one letter, so that it is still an event.
  const rawBody = options.flaw === 'SIGNATURE_MISMATCH' ? utf8(JSON.stringify({ ...event, type: `${type}x` })) : signed;
  const headers = {
    'content-type': 'application/json',
    'x-platform-event': type,
    'x-platform-event-id': options.flaw === 'EVENT_HEADER_MISMATCH' ? `evt_${testIdTail()}` : event.id,
    'x-platform-delivery-id': `del_${testIdTail()}`,
    ...(signature === '' ? {} : { 'x-platform-signature': signature }),
  };
  return {
    event,
    body: new TextDecoder().decode(rawBody),
    rawBody,
    headers,
    signature,
    timestamp,
    toRequest: (url = 'http://localhost/webhooks') => new Request(url, { method: 'POST', body: rawBody, headers }),
  };
}

/** A misspelt option would leave the sample as it is, and the test would test something else. */
const OPTION_NAMES: OptionNames<TestEventOptions<object>> = {
  secret: true,
  data: true,
  id: true,
  tenantId: true,
  created: true,
  timestamp: true,
  flaw: true,
};

/** A delivery without the flaw that was meant is a valid one: the test of a refusal would test nothing. */
function checkFlaw(flaw: Flaw | undefined): void {
  if (flaw === undefined || FLAWS.includes(flaw)) return;
  throw new WebhookConfigurationError('OPTION_INVALID', `flaw must be one of ${FLAWS.join(', ')}.`);
}

/** Seconds by which a flaw moves the moment of signing: beyond any sensible tolerance. */
const SHIFTS: Readonly<Record<string, number>> = { TIMESTAMP_TOO_OLD: -86_400, TIMESTAMP_IN_FUTURE: 86_400 };

function flawedBody(json: string, flaw: Flaw | undefined): Bytes {
  if (flaw === 'BODY_NOT_EVENT') return utf8('[]');
  if (flaw === 'BODY_NOT_JSON') return utf8(json.slice(0, -1));
  if (flaw === 'BODY_NOT_UTF8') return utf8(`\uFEFF${json}`);
  return utf8(json);
}

function flawedSignature(signature: string, timestamp: number, flaw: Flaw | undefined): string {
  if (flaw === 'SIGNATURE_MISSING') return '';
  if (flaw === 'SIGNATURE_MALFORMED') return signature.replaceAll('v1=', 'v0=');
  if (flaw === 'SIGNATURE_REPEATED') return `${signature}, ${signature}`;
  if (flaw === 'TIMESTAMP_INVALID') return signature.replace(`t=${timestamp}`, `t=${timestamp}.5`);
  return signature;
}

/** An opaque part in the shape of the platform's: 26 characters, unique, not in the order of time. */
function testIdTail(): string {
  return `0${randomBytes(25).reduce((tail, byte) => tail + ID_DIGITS.charAt(byte % ID_DIGITS.length), '')}`;
}
