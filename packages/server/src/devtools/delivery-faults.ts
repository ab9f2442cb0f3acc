import { setTimeout as wait } from 'node:timers/promises';
import type { Intercept } from '../events/dispatch/attempt.ts';
import type { LoadedDelivery } from '../events/outbox/queue.ts';
import type { Answer } from '../events/sending/answer.ts';
import { type DeliveryFault, type Faults, isDeliveryFault } from './faults.ts';

/** Maximum time that an attempt is held for another one to overtake it, in ms of real time. */
const HOLD_MS = 10_000;

/** Injects the configured faults into webhook deliveries. */
export function deliveryFaults(faults: Faults): Intercept {
  /** Endpoint → function that releases its held attempt. */
  const held = new Map<string, () => void>();

  return async (delivery, send) => {
    const { endpoint_id: endpointId } = delivery;
    const fault = faults.strike(isDeliveryFault, (one) => isFor(one, delivery) && !isHeldAlready(one, endpointId));
    if (fault?.kind === 'reorder_deliveries') {
      await overtaken(endpointId);
      return send();
    }
    const answer = await attempt(fault, send);
    held.get(endpointId)?.();
    return answer;
  };

  /** Returns true if an attempt of the endpoint is held already: the next one must be sent to release it. */
  function isHeldAlready({ kind }: DeliveryFault, endpointId: string): boolean {
    return kind === 'reorder_deliveries' && held.has(endpointId);
  }

  async function overtaken(endpointId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(endpointId, resolve);
    await Promise.race([promise, wait(HOLD_MS, undefined, { ref: false })]);
    held.delete(endpointId);
  }
}

function isFor({ tenant_id, endpoint_id, event_type }: DeliveryFault, delivery: LoadedDelivery): boolean {
  return (
    (tenant_id ?? delivery.tenant_id) === delivery.tenant_id &&
    (endpoint_id ?? delivery.endpoint_id) === delivery.endpoint_id &&
    (event_type ?? delivery.event_type) === delivery.event_type
  );
}

async function attempt(
  fault: Exclude<DeliveryFault, { readonly kind: 'reorder_deliveries' }> | undefined,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (fault?.kind === 'delivery_error') return failed(fault);
  if (fault?.kind === 'duplicate_delivery') await send();
  return send();
}

function failed({ status, error_class }: Extract<DeliveryFault, { readonly kind: 'delivery_error' }>): Answer {
  const isAnswer = error_class === undefined;
  return {
    errorClass: error_class ?? ((status ?? 500) < 400 ? 'redirect' : 'http_status'),
    status: isAnswer ? (status ?? 500) : null,
    headers: isAnswer ? [] : null,
    body: isAnswer ? '' : null,
    retryAfter: null,
    remoteAddress: null,
    durationMs: 0,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    signature: null,
  };
}
