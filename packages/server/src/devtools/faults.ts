import { type ErrorCode, WEBHOOK_DELIVERY_ERROR_CLASSES, type WebhookDeliveryErrorClass } from '@plat/contract';
import { ApiError } from '../kernel/api-error.ts';
import { newId } from '../kernel/ids.ts';

/** Selects how often a fault occurs. */
interface Frequency {
  /** Maximum number of times. Defaults to 1. */
  readonly times?: number;
  /** Probability that the fault occurs, from 0 to 1. Defaults to 1. */
  readonly probability?: number;
  /** Limits the fault to this tenant. */
  readonly tenant_id?: string;
}

/** Selects the requests of a fault, by operation or by path. */
type RequestTarget = Frequency &
  (
    | {
        /** `clients.create`, `clients.*`, `oauth.token`, `developer.apps.list`, `*`. */
        readonly operation: string;
        readonly path?: undefined;
        readonly method?: undefined;
      }
    | {
        readonly operation?: undefined;
        /** A path, in which `*` matches any text. */
        readonly path: string;
        /** Defaults to every method. */
        readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
      }
  );

/** Selects the deliveries of a fault. */
interface DeliveryTarget extends Frequency {
  readonly endpoint_id?: string;
  readonly event_type?: string;
}

/** A fault of requests. */
export type RequestFault = RequestTarget &
  (
    | { readonly kind: 'error'; readonly code: ErrorCode; readonly message?: string }
    | { readonly kind: 'delay'; readonly ms: number }
    /** Cuts the connection: before the request is processed, or afterwards but before the response. */
    | { readonly kind: 'cut'; readonly when: 'before' | 'after' }
    /** Processes the request and sends half of the response's JSON. */
    | { readonly kind: 'malformed' }
    | { readonly kind: 'rate_limited'; readonly retry_after?: number }
  );

/** Reasons of attempts that were answered, or that were never made. */
const ANSWERED_OR_UNSENT: readonly WebhookDeliveryErrorClass[] = [
  'redirect',
  'http_status',
  'endpoint_deleted',
  'endpoint_disabled',
  'event_deleted',
];

/** Reasons of attempts without a response. */
export const UNANSWERED = WEBHOOK_DELIVERY_ERROR_CLASSES.filter((name) => !ANSWERED_OR_UNSENT.includes(name));

/** A fault of webhook deliveries. */
export type DeliveryFault = DeliveryTarget &
  (
    | { readonly kind: 'duplicate_delivery' }
    /** Holds the delivery until another one to the endpoint has been sent. */
    | { readonly kind: 'reorder_deliveries' }
    /** Fails the attempt without reaching the receiver, as if the receiver had sent this response. */
    | { readonly kind: 'delivery_error'; readonly status?: number; readonly error_class?: WebhookDeliveryErrorClass }
  );

export type Fault = RequestFault | DeliveryFault;

/** A stored fault. */
export type DevFault<F extends Fault = Fault> = { readonly object: 'dev_fault'; readonly id: string } & F & {
    /** Number of times that it will still occur. */
    readonly left: number;
  };

/** The configured faults. */
export interface Faults {
  add<F extends Fault>(fault: F): DevFault<F>;
  /** Returns the faults that have not yet occurred as often as configured, oldest first. */
  list(): readonly DevFault[];
  /** @throws {@link ApiError} NOT_FOUND */
  remove(id: string): void;
  clear(): void;
  /** Returns the first matching fault that occurs, and decrements its number of times. */
  strike<F extends Fault>(isOne: (fault: Fault) => fault is F, isHere: (fault: F) => boolean): DevFault<F> | undefined;
}

/** @param random returns a number from 0 up to, but not including, 1 */
export function createFaults(clock: () => number, random: () => number): Faults {
  const kept = new Map<string, { readonly fault: Fault; left: number }>();
  const shown = <F extends Fault>(id: string, fault: F, left: number): DevFault<F> => ({
    object: 'dev_fault',
    id,
    ...fault,
    left,
  });

  return {
    add(fault) {
      const id = newId('fault', clock());
      const left = fault.times ?? 1;
      kept.set(id, { fault, left });
      return shown(id, fault, left);
    },
    list: () => [...kept].map(([id, { fault, left }]) => shown(id, fault, left)),
    remove(id) {
      if (!kept.delete(id))
        throw new ApiError('NOT_FOUND', 'There is no such fault; it may have occurred for the last time');
    },
    clear: () => kept.clear(),
    strike(isOne, isHere) {
      for (const [id, one] of kept) {
        const { fault } = one;
        if (!isOne(fault) || !isHere(fault) || random() >= (fault.probability ?? 1)) continue;
        one.left--;
        if (one.left === 0) kept.delete(id);
        return shown(id, fault, one.left);
      }
      return undefined;
    },
  };
}

export function isDeliveryFault(fault: Fault): fault is DeliveryFault {
  return ['duplicate_delivery', 'reorder_deliveries', 'delivery_error'].includes(fault.kind);
}

export function isRequestFault(fault: Fault): fault is RequestFault {
  return !isDeliveryFault(fault);
}
