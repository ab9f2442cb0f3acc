import { type AppEvent, isAppEventType, isEventType, type PlatformEvent } from '@plat/contract';
import { WebhookVerificationError } from './errors.ts';

declare const unknownType: unique symbol;

/**
 * An event type that this version of the package does not have. At run time it is a plain string. The mark exists for
 * the compiler only, so that `case 'client.created'` excludes an {@link UnknownEvent}. (On a plain `string` the
 * compiler counts every literal as comparable, with or without mark; on a template type it considers the mark.)
 */
export type UnknownEventType = `${string}.${string}` & {
  /** Exists for the compiler only. */
  readonly [unknownType]: never;
};

/**
 * An event whose type was added to the platform after this version. Event types are append-only, so expect such events.
 */
export interface UnknownEvent {
  /** Id of the event, `evt_…`. It is the same in every delivery; deduplicate on it. */
  readonly id: string;
  /** Always `event`. */
  readonly object: 'event';
  /** An event type that this version does not have. */
  readonly type: UnknownEventType;
  /** Commit time in ISO 8601 with milliseconds. It orders the events of a tenant; ties are resolved by id. */
  readonly created: string;
  /** Id of the tenant. */
  readonly tenant_id: string;
  /** The affected resource, without any check. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The event of a delivery: one of a tenant, one of an OAuth app, or one of a newer type.
 * `switch (event.type)` narrows `event.data` to the payload of each type. Answer every other event with 2xx.
 */
export type WebhookEvent = PlatformEvent | AppEvent | UnknownEvent;

/** Returns true if the event has one of this version's types of a tenant. */
export function isKnownEvent(event: WebhookEvent): event is PlatformEvent {
  return isEventType(event.type);
}

/**
 * Returns true if the event is one of an OAuth app: only an app's own endpoints receive them. Verify them with the
 * secret of that endpoint alone, because a secret that is bound to a tenant never verifies them.
 */
export function isAppEvent(event: WebhookEvent): event is AppEvent {
  return isAppEventType(event.type) && 'app_id' in event;
}

// ignoreBOM keeps a byte order mark in the text instead of removing it silently.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the event in a body whose signature was verified. A text was checked for unpaired surrogates before.
 * @throws {WebhookVerificationError} `BODY_NOT_UTF8`, `BODY_NOT_JSON`, `BODY_NOT_EVENT`
 */
export function parseEvent(body: string | Uint8Array): WebhookEvent {
  const text = typeof body === 'string' ? body : decode(body);
  if (text.startsWith('\uFEFF')) {
    throw new WebhookVerificationError('BODY_NOT_UTF8', 'It begins with a byte order mark, which JSON must not have.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WebhookVerificationError('BODY_NOT_JSON', 'It was signed with your secret, but it is not JSON.');
  }
  const flaw = flawOfEvent(value);
  if (flaw) throw new WebhookVerificationError('BODY_NOT_EVENT', `It was signed with your secret, but ${flaw}.`);
  // The envelope was checked above. `data` is as the platform signed it.
  return value as WebhookEvent;
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new WebhookVerificationError('BODY_NOT_UTF8', 'It holds bytes that are no UTF-8.');
  }
}

function flawOfEvent(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is not a JSON object';
  if (value['object'] !== 'event') return 'its object is not "event"';
  const { id, type, created, tenant_id: tenantId } = value;
  if (typeof id !== 'string' || !id.startsWith('evt_') || id.length === 4) return 'its id is not an evt_ id';
  if (typeof type !== 'string' || type === '') return 'its type is not a string';
  if (typeof created !== 'string' || created === '') return 'its created is not a string';
  if (typeof tenantId !== 'string' || tenantId === '') return 'its tenant_id is not a string';
  return isRecord(value['data']) ? undefined : 'its data is not an object';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
