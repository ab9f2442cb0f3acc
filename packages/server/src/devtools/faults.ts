import type { ErrorCode, WebhookDeliveryErrorClass } from '@plat/contract';
import { ApiError } from '../kernel/api-error.ts';
import { newId } from '../kernel/ids.ts';

/** How often a fault strikes. */
interface Frequency {
  /** So many times in all; 1 when absent. */
  readonly times?: number;
  /** How likely it strikes where it could, from 0 to 1; always when absent. */
  readonly probability?: number;
  /** Only for this tenant. */
  readonly tenant_id?: string;
}

/** Which requests a fault is for: of an operation, or of a path. */
interface RequestTarget extends Frequency {
  /** `clients.create`, `clients.*`, `oauth.token`, `developer.apps.list`, `*`. */
  readonly operation?: string;
  /** In place of an operation: a path, with `*` for whatever stands there. */
  readonly path?: string;
  /** With a path: any method when absent. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
}

/** Which deliveries a fault is for. */
interface DeliveryTarget extends Frequency {
  readonly endpoint_id?: string;
  readonly event_type?: string;
}

/** What is to go wrong with requests. */
export type RequestFault = RequestTarget &
  (
    | { readonly kind: 'error'; readonly code: ErrorCode; readonly message?: string }
    | { readonly kind: 'delay'; readonly ms: number }
    /** The connection is cut: before anything was done, or after all was, before the answer. */
    | { readonly kind: 'cut'; readonly when: 'before' | 'after' }
    /** All is done, and half of the answer's JSON is sent. */
    | { readonly kind: 'malformed' }
    | { readonly kind: 'rate_limited'; readonly retry_after?: number }
  );

/** What is to go wrong with webhook deliveries. */
export type DeliveryFault = DeliveryTarget &
  (
    | { readonly kind: 'duplicate_delivery' }
    /** It is held until another one to the endpoint has been sent. */
    | { readonly kind: 'reorder_deliveries' }
    /** The attempt fails without reaching the receiver, which is as if it had answered so. */
    | { readonly kind: 'delivery_error'; readonly status?: number; readonly error_class?: WebhookDeliveryErrorClass }
  );

export type Fault = RequestFault | DeliveryFault;

/** A fault as it is kept. */
export type DevFault<F extends Fault = Fault> = { readonly object: 'dev_fault'; readonly id: string } & F & {
    /** How often it will still strike. */
    readonly left: number;
  };

/** What is to go wrong, and how often. */
export interface Faults {
  add<F extends Fault>(fault: F): DevFault<F>;
  /** Those that have not struck as often as they should, oldest first. */
  list(): readonly DevFault[];
  /** @throws {@link ApiError} NOT_FOUND */
  remove(id: string): void;
  clear(): void;
  /** The first one of some that strikes here, which is one time less from then on. */
  strike<F extends Fault>(isOne: (fault: Fault) => fault is F, isHere: (fault: F) => boolean): DevFault<F> | undefined;
}

/** @param random from 0 up to 1 */
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
        throw new ApiError('NOT_FOUND', 'There is no such fault; it may have struck for the last time');
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
