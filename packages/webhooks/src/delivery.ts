import { HEADERS } from '@plat/contract';
import { WebhookVerificationError } from './errors.ts';
import { parseEvent, type WebhookEvent } from './event.ts';
import { header, type Signed, signatureOf } from './headers.ts';
import { checkTimestamp, type TimePolicy } from './policy.ts';
import { type RawBody, readRawBody } from './raw-body.ts';
import type { MatchedSecret } from './secrets.ts';
import { readSignatureHeader, type SignatureHeader } from './signature-header.ts';
import { checkTenant } from './tenant-id.ts';

/** A delivery that is well-formed and in time. Only its digest is still to be verified. */
export interface UnprovenDelivery {
  readonly body: string | Uint8Array;
  readonly signature: SignatureHeader;
}

/** A delivery that is authentic and in time. */
export interface VerifiedDelivery {
  /** The verified event. */
  readonly event: WebhookEvent;
  /** Time of the signature in Unix seconds. */
  readonly timestamp: number;
  /** Position and label of the secret that verified the delivery. */
  readonly secret: MatchedSecret;
}

/**
 * Runs the checks before the HMAC, which both entry points share. They are cheap, so that a flood of invalid requests
 * is too.
 */
export function readDelivery(rawBody: RawBody, signed: Signed, time: TimePolicy): UnprovenDelivery {
  const body = readRawBody(rawBody);
  const signature = readSignatureHeader(signatureOf(signed));
  checkTimestamp(signature.timestamp, time);
  return { body, signature };
}

/**
 * Returns the event of a verified delivery. The signature does not cover the headers, so given headers must agree with
 * the body.
 */
export function readEvent(body: string | Uint8Array, signed: Signed, secret: MatchedSecret): WebhookEvent {
  const event = readEventOfTenant(body, secret);
  if (typeof signed === 'string') return event;
  checkAgreement(signed, HEADERS.eventType, event.type);
  checkAgreement(signed, HEADERS.eventId, event.id);
  return event;
}

/** Returns the event of a verified delivery, which must belong to the tenant that the secret is bound to. */
export function readEventOfTenant(body: string | Uint8Array, { tenantId }: MatchedSecret): WebhookEvent {
  const event = parseEvent(body);
  if (tenantId !== undefined) checkTenant(event, tenantId);
  return event;
}

function checkAgreement(signed: Signed, name: string, expected: string): void {
  const value = header(signed, name);
  if (value === undefined || value === null || value === expected) return;
  throw new WebhookVerificationError(
    'EVENT_HEADER_MISMATCH',
    `${name} differs from the signed body; the headers of two requests were mixed up, or the header was changed on the way.`,
  );
}
