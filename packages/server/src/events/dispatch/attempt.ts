import { LIMITS, type WebhookDeliveryErrorClass } from '@plat/contract';
import type { Outcome } from '../outbox/outcomes.ts';
import type { LoadedDelivery } from '../outbox/queue.ts';
import type { Answer } from '../sending/answer.ts';
import type { Attempt, Deliverer } from '../sending/deliver.ts';

export interface AttemptServices {
  /** @throws Error when it was sealed under a key that is not configured */
  openSecret(endpointId: string, sealed: Buffer): string;
  readonly deliverer: Deliverer;
  /** What stands between an attempt and its sending; nothing when absent. */
  readonly intercept?: Intercept | undefined;
  now(): number;
}

/** For the development mode: counts attempts, answers in place of the receiver, sends twice or later. */
export type Intercept = (delivery: LoadedDelivery, send: () => Promise<Answer>) => Promise<Answer>;

type Result = Omit<Outcome, 'delivery' | 'token'>;

/**
 * Attempts one delivery as the specification's retry table says. What has nowhere to go fails at once, without
 * further attempts; what may not go now, because its tenant is suspended, is postponed.
 * @throws Error when the endpoint's secret was sealed under a key that is not configured
 */
export async function attemptDelivery(delivery: LoadedDelivery, services: AttemptServices): Promise<Result> {
  const { url, payload, secret } = delivery;
  const at = services.now();
  if (url === null || secret === null) return hopeless('endpoint_deleted', at);
  if (delivery.endpoint_status !== 'enabled') return hopeless('endpoint_disabled', at);
  if (payload === null) return hopeless('event_deleted', at);
  if (delivery.tenant_status === 'suspended' && !delivery.event_type.startsWith('tenant.')) return postponed(at);

  const attempt: Attempt = {
    deliveryId: delivery.id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    payload,
    url,
    secrets: secretsAt(delivery, secret, at, services),
    at,
  };
  const send = (): Promise<Answer> => services.deliverer.deliver(attempt);
  const answer = await (services.intercept ? services.intercept(delivery, send) : send());
  return {
    status: verdict(answer, delivery.attempt),
    attemptedAt: at,
    endedAt: Math.max(services.now(), at),
    errorClass: answer.errorClass,
    answer,
  };
}

/** A delivery that is due again later, unattempted. */
export function postponed(at: number): Result {
  return { ...UNSENT, status: 'pending', endedAt: at, errorClass: null };
}

const UNSENT = { attemptedAt: null, answer: null } as const;

function hopeless(errorClass: WebhookDeliveryErrorClass, at: number): Result {
  return { ...UNSENT, status: 'failed', endedAt: at, errorClass };
}

function verdict({ errorClass }: Answer, attempt: number): Outcome['status'] {
  if (errorClass === null) return 'succeeded';
  return attempt < LIMITS.webhook.attempts ? 'retrying' : 'failed';
}

/** The current secret, and the one before it while that has not expired. */
function secretsAt(delivery: LoadedDelivery, secret: Buffer, at: number, { openSecret }: AttemptServices): string[] {
  const { endpoint_id: endpointId, previous_secret: previous, previous_secret_expires_at: expiresAt } = delivery;
  const secrets = [openSecret(endpointId, secret)];
  if (previous !== null && expiresAt !== null && at < expiresAt) {
    secrets.push(openSecret(endpointId, previous));
  }
  return secrets;
}
