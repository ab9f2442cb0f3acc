import { LIMITS, type WebhookDeliveryErrorClass } from '@plat/contract';
import { count, observe } from '../../kernel/meter.ts';
import { type Span, startSpan } from '../../kernel/trace.ts';
import type { Outcome } from '../outbox/outcomes.ts';
import { isBeingImported, isSuspended } from '../outbox/owner-status.ts';
import type { LoadedDelivery } from '../outbox/queue.ts';
import type { Answer } from '../sending/answer.ts';
import type { Attempt, Deliverer } from '../sending/deliver.ts';

export interface AttemptServices {
  /** @throws Error when the secret was sealed with a key that is not configured */
  openSecret(endpointId: string, sealed: Buffer): string;
  readonly deliverer: Deliverer;
  /** Replaces the sending of an attempt. */
  readonly intercept?: Intercept | undefined;
  now(): number;
}

/** For the development mode: counts attempts, responds in place of the receiver, sends twice or later. */
export type Intercept = (delivery: LoadedDelivery, send: () => Promise<Answer>) => Promise<Answer>;

type Result = Omit<Outcome, 'delivery' | 'token'>;

/**
 * Attempts one delivery by the specification's retry table. A delivery whose endpoint or event is gone fails at once,
 * without further attempts. A delivery of a tenant that is suspended or being imported is postponed.
 * @throws Error when the endpoint's secret was sealed with a key that is not configured
 */
export async function attemptDelivery(delivery: LoadedDelivery, services: AttemptServices): Promise<Result> {
  const result = await attempt(delivery, services);
  const { status: outcome, errorClass } = result;
  if (result.attemptedAt === null) {
    countUnsent(outcome === 'pending' ? 'postponed' : 'failed', errorClass ?? 'tenant_suspended');
  } else {
    count('plat_delivery_attempts_total', { outcome, error_class: errorClass ?? '', attempt: delivery.attempt });
    measure(delivery, result);
  }
  return result;
}

function measure(delivery: LoadedDelivery, { attemptedAt, answer }: Result): void {
  if (delivery.attempt === 1 && attemptedAt !== null) {
    const lagMs = Math.max(0, attemptedAt - delivery.scheduled_at);
    observe('plat_delivery_lag_seconds', {}, lagMs / 1000);
  }
  if (answer === null) return;
  const { dnsMs: dns, connectMs: connect, tlsMs: tls, firstByteMs: first_byte } = answer.timings;
  for (const [phase, ms] of Object.entries({ dns, connect, tls, first_byte, total: answer.durationMs })) {
    if (ms !== null) observe('plat_delivery_duration_seconds', { phase }, ms / 1000);
  }
}

async function attempt(delivery: LoadedDelivery, services: AttemptServices): Promise<Result> {
  const { url, payload, secret } = delivery;
  const at = services.now();
  if (isBeingImported(delivery)) return postponed(at);
  if (url === null || secret === null) return failedUnsent('endpoint_deleted', at);
  if (delivery.endpoint_status !== 'enabled') return failedUnsent('endpoint_disabled', at);
  if (payload === null) return failedUnsent('event_deleted', at);
  if (isSuspended(delivery) && !delivery.event_type.startsWith('tenant.')) return postponed(at);

  const span = startAttempt(delivery);
  const request: Attempt = {
    deliveryId: delivery.id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    payload,
    url,
    traceparent: span?.traceparent ?? delivery.traceparent,
    secrets: secretsAt(delivery, secret, at, services),
    at,
  };
  const send = (): Promise<Answer> => services.deliverer.deliver(request);
  const answer = await (services.intercept ? services.intercept(delivery, send) : send());
  if (span) endAttempt(span, answer);
  return {
    status: statusAfter(answer, delivery.attempt),
    attemptedAt: at,
    endedAt: Math.max(services.now(), at),
    errorClass: answer.errorClass,
    answer,
  };
}

export function countUnsent(outcome: 'failed' | 'postponed', reason: UnsentReason): void {
  count('plat_deliveries_unsent_total', { outcome, reason });
}

type UnsentReason = WebhookDeliveryErrorClass | 'tenant_suspended' | 'secret_unreadable';

function startAttempt({ id, event_id, event_type, attempt: number, traceparent: parent }: LoadedDelivery): Span | null {
  const attributes = { 'plat.delivery_id': id, 'plat.attempt': number, 'messaging.message.id': event_id };
  return startSpan({ name: `deliver ${event_type}`, kind: 'client', attributes, parent });
}

function endAttempt(span: Span, { errorClass, status }: Answer): void {
  span.end({
    attributes: { ...(status !== null && { 'http.response.status_code': status }) },
    ...(errorClass !== null && { error: errorClass }),
  });
}

/** Result of a delivery that was not attempted and is due again later. */
export function postponed(at: number): Result {
  return { ...UNSENT, status: 'pending', endedAt: at, errorClass: null };
}

const UNSENT = { attemptedAt: null, answer: null } as const;

function failedUnsent(errorClass: WebhookDeliveryErrorClass, at: number): Result {
  return { ...UNSENT, status: 'failed', endedAt: at, errorClass };
}

function statusAfter({ errorClass }: Answer, attempt: number): Outcome['status'] {
  if (errorClass === null) return 'succeeded';
  return attempt < LIMITS.webhook.attempts ? 'retrying' : 'failed';
}

/** The current secret, and the previous one until it expires. */
function secretsAt(delivery: LoadedDelivery, secret: Buffer, at: number, { openSecret }: AttemptServices): string[] {
  const { endpoint_id: endpointId, previous_secret: previous, previous_secret_expires_at: expiresAt } = delivery;
  const secrets = [openSecret(endpointId, secret)];
  if (previous !== null && expiresAt !== null && at < expiresAt) {
    secrets.push(openSecret(endpointId, previous));
  }
  return secrets;
}
