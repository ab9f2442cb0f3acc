import {
  type AnyEventType,
  type AppEventOf,
  type AppEventPayloads,
  type AppEventType,
  type EventOf,
  type EventPayloads,
  type EventType,
  ID_DIGITS,
  isAppEventType,
  isEventType,
  type OptionNames,
} from '@plat/contract';
import { type Bytes, utf8 } from '../bytes.ts';
import { WebhookConfigurationError } from '../errors.ts';
import type { UnknownEvent } from '../event.ts';
import { checkOptions } from '../options.ts';
import { signDelivery } from '../sign.ts';
import { SAMPLE_APP_PAYLOADS } from './app-samples.ts';
import { SAMPLE_APP_ID, SAMPLE_PAYLOADS, SAMPLE_TENANT_ID } from './samples.ts';

/** Default secret of test deliveries. Production deliveries never use it. */
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

/** Flaws of a test delivery. Each is named after the code with which a verifier must refuse it. */
export type Flaw = (typeof FLAWS)[number];

/** Changes to the sample event, and options of the delivery. */
export interface TestEventOptions<D> {
  /** One or several signing secrets; {@link TEST_SECRET} by default. */
  readonly secret?: string | readonly string[] | undefined;
  /** Members of `data` to replace. */
  readonly data?: Partial<D> | undefined;
  /** Id of the event; by default a new id for each call. Use the same id twice to simulate a duplicate. */
  readonly id?: string | undefined;
  /** Id of the tenant; that of the sample event when absent. */
  readonly tenantId?: string | undefined;
  /** Commit time of the event in ISO 8601; the time of the signature by default. */
  readonly created?: string | undefined;
  /** Time of the signature in Unix seconds; now by default. */
  readonly timestamp?: number | undefined;
  /**
   * Flaw of the delivery: a receiver must refuse it with this code. For `SIGNATURE_MISMATCH` the body is changed after
   * signing.
   */
  readonly flaw?: Flaw | undefined;
}

/** Options of {@link signTestEvent} for an event of an app. */
export interface TestAppEventOptions<D> extends TestEventOptions<D> {
  /** Id of the app; that of `data` or of the sample event when absent. So is `tenantId`. */
  readonly appId?: string | undefined;
}

/** Options of {@link signTestEvent} for an event type, which determines the type of `data`. */
export type TestOptionsOf<T extends AnyEventType> = [T] extends [EventType]
  ? TestEventOptions<EventPayloads[T]>
  : TestAppEventOptions<(EventPayloads & AppEventPayloads)[T]>;

/** Event of an event type, of a tenant or of an app. */
export type TestEventOf<T extends AnyEventType> = T extends EventType
  ? EventOf<T>
  : T extends AppEventType
    ? AppEventOf<T>
    : never;

/** A signed delivery in the form in which it is sent. */
export interface TestDelivery<E> {
  /** The event that was signed. */
  readonly event: E;
  /** The body as text. If the flaw is in its bytes, use {@link TestDelivery.rawBody}. */
  readonly body: string;
  /** The bytes of the body. */
  readonly rawBody: Uint8Array<ArrayBuffer>;
  /** All headers of the delivery, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Value of `X-Platform-Signature`; empty for the flaw `SIGNATURE_MISSING`. */
  readonly signature: string;
  /** Time of the signature in Unix seconds. */
  readonly timestamp: number;
  /** Returns the delivery as a `Request` of the Fetch API. */
  toRequest(url?: string): Request;
}

/**
 * Creates a signed delivery for the tests of a receiver. It contains a complete, typed sample of the event type, of a
 * tenant or of an app. Use any other type to simulate an event of a later version of the platform.
 *
 * @example
 * const { rawBody, headers } = signTestEvent('client.created', { secret, data: { name: 'Acme' } });
 * const response = await app.request('/webhooks', { method: 'POST', body: rawBody, headers });
 *
 * @example
 * // An event of an app, for the receiver of the app's own endpoint.
 * const { rawBody, headers } = signTestEvent('installation.revoked', { secret, tenantId, appId });
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID` for an unknown option or flaw, and for `appId` with an event type
 *   of tenants; further codes as signDelivery
 */
export function signTestEvent<T extends string>(
  type: [T] extends [AnyEventType] ? never : T,
  options?: TestAppEventOptions<Readonly<Record<string, unknown>>>,
): TestDelivery<UnknownEvent>;
// The last overload is the one whose mismatch the compiler explains.
export function signTestEvent<T extends AnyEventType>(
  type: T,
  options?: TestOptionsOf<T>,
): TestDelivery<TestEventOf<T>>;
export function signTestEvent(type: string, options: TestAppEventOptions<object> = {}): TestDelivery<object> {
  checkOptions('signTestEvent', options, OPTION_NAMES);
  checkFlaw(options.flaw);
  const now = options.timestamp ?? Math.floor(Date.now() / 1000);
  const timestamp = now + (SHIFTS[options.flaw ?? ''] ?? 0);
  const about = subjectOf(type, options);
  const event = {
    id: options.id ?? `evt_${testIdTail()}`,
    object: 'event',
    type,
    created: options.created ?? new Date(now * 1000).toISOString(),
    ...about,
    data: { ...sampleData(type, about), ...options.data },
  };
  const signed = flawedBody(JSON.stringify(event), options.flaw);
  const { secret = TEST_SECRET } = options;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signature = flawedSignature(signDelivery({ body: signed, secrets, timestamp }), timestamp, options.flaw);
  // Changed after the signature was made. Only one letter is added, so that the body is still an event.
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

/** A misspelt option would leave the sample unchanged, and the test would test something else. */
const OPTION_NAMES: OptionNames<TestAppEventOptions<object>> = {
  secret: true,
  data: true,
  id: true,
  tenantId: true,
  appId: true,
  created: true,
  timestamp: true,
  flaw: true,
};

/** A misspelt flaw would yield a valid delivery, and the test of a refusal would test nothing. */
function checkFlaw(flaw: Flaw | undefined): void {
  if (flaw === undefined || FLAWS.includes(flaw)) return;
  throw new WebhookConfigurationError('OPTION_INVALID', `flaw must be one of ${FLAWS.join(', ')}.`);
}

/** Tenant and app of an event: its fields between `created` and `data`. */
interface Subject {
  readonly tenant_id: string;
  readonly app_id?: string;
}

/** Without options, an event of an app names the tenant and the app of its data. */
function subjectOf(type: string, { tenantId, appId, data }: TestAppEventOptions<object>): Subject {
  if (isAppEventType(type)) {
    const ids: { tenant_id?: string; app_id?: string; id?: string } = { ...data };
    const ofApp = SAMPLE_APP_PAYLOADS[type].object === 'app' ? ids.id : ids.app_id;
    return { tenant_id: tenantId ?? ids.tenant_id ?? SAMPLE_TENANT_ID, app_id: appId ?? ofApp ?? SAMPLE_APP_ID };
  }
  const subject = { tenant_id: tenantId ?? SAMPLE_TENANT_ID };
  if (appId === undefined) return subject;
  if (!isEventType(type)) return { ...subject, app_id: appId };
  throw new WebhookConfigurationError('OPTION_INVALID', `appId is for events of apps: ${type} is one of tenants.`);
}

/** Returns the sample of a type. Its ids of the tenant and the app are those of the event, as the platform sends them. */
function sampleData(type: string, { tenant_id, app_id = SAMPLE_APP_ID }: Subject): object {
  const sample = isEventType(type) ? SAMPLE_PAYLOADS[type] : isAppEventType(type) && SAMPLE_APP_PAYLOADS[type];
  if (!sample) return { object: 'sample' };
  const ids = new Map<unknown, string>([
    [SAMPLE_TENANT_ID, tenant_id],
    [SAMPLE_APP_ID, app_id],
  ]);
  return JSON.parse(JSON.stringify(sample), (_, value) => ids.get(value) ?? value);
}

/** Seconds by which a flaw shifts the time of the signature: beyond any sensible tolerance. */
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

/** Returns an opaque id part in the form of the platform: 26 characters, unique, not ordered by time. */
function testIdTail(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(25));
  return `0${bytes.reduce((tail, byte) => tail + ID_DIGITS.charAt(byte % ID_DIGITS.length), '')}`;
}
