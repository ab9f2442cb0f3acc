import { HEADERS } from '@plat/contract';
import { WebhookVerificationError } from './errors.ts';
import { parseEvent, type WebhookEvent } from './event.ts';
import { header, type Signed, signatureOf } from './headers.ts';
import { checkTimestamp, type TimePolicy } from './policy.ts';
import { type RawBody, readRawBody } from './raw-body.ts';
import type { MatchedSecret } from './secrets.ts';
import { readSignatureHeader, type SignatureHeader } from './signature-header.ts';
import { checkTenant } from './tenant-id.ts';

/** A delivery that is well-formed and in time: all that is left to prove is its digest. */
export interface UnprovenDelivery {
  readonly body: string | Uint8Array;
  readonly signature: SignatureHeader;
}

/** A delivery that is authentic and in time. */
export interface VerifiedDelivery {
  /** The verified event. */
  readonly event: WebhookEvent;
  /** When it was signed, in Unix seconds. */
  readonly timestamp: number;
  /** The secret that verified it. */
  readonly secret: MatchedSecret;
}

/** The checks before the HMAC, which both entry points share. They are cheap, so a flood of rubbish is too. */
export function readDelivery(rawBody: RawBody, signed: Signed, time: TimePolicy): UnprovenDelivery {
  const body = readRawBody(rawBody);
  const signature = readSignatureHeader(signatureOf(signed));
  checkTimestamp(signature.timestamp, time);
  return { body, signature };
}

/**
 * The event of a proven delivery. The signature does not cover the headers, so where they are given they must agree
 * with the body.
 */
export function readEvent(body: string | Uint8Array, signed: Signed, secret: MatchedSecret): WebhookEvent {
  const event = readEventOfTenant(body, secret);
  if (typeof signed === 'string') return event;
  checkAgreement(signed, HEADERS.eventType, event.type);
  checkAgreement(signed, HEADERS.eventId, event.id);
  return event;
}

/** The event of a proven delivery, of the tenant that the secret is bound to. */
export function readEventOfTenant(body: string | Uint8Array, { tenantId }: MatchedSecret): WebhookEvent {
  const event = parseEvent(body);
  if (tenantId !== undefined) checkTenant(event.tenant_id, tenantId);
  return event;
}

function checkAgreement(signed: Signed, name: string, expected: string): void {
  const value = header(signed, name);
  if (value === undefined || value === null || value === expected) return;
  throw new WebhookVerificationError(
    'EVENT_HEADER_MISMATCH',
    `${name} differs from the signed body; the headers of two requests were mixed up, or someone changed them.`,
  );
}
