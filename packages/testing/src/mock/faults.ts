import { type ErrorCode, isErrorCode, OPERATIONS, type OperationName, RETRY_AFTER_CODES } from '@plat/contract';
import { OAUTH_ENDPOINTS, type OAuthEndpoint } from './oauth/endpoints.ts';
import { Refusal } from './refusal.ts';

/** Operation of the API or OAuth endpoint whose calls fail. */
export type FailureTarget = OperationName | OAuthEndpoint;

/** Kind of failure: an error code, or a cut connection without a response. */
export type FailureKind = ErrorCode | 'CONNECTION_CUT';

/** How often an operation fails, and the details of its error. */
export interface FailOptions {
  /** Number of calls that fail; 1 when absent. `Infinity`: until `reset()`. */
  readonly times?: number | undefined;
  /** `Retry-After`, in seconds. With a code that the platform sends with this header it is 1 when absent. */
  readonly retryAfter?: number | undefined;
  /** The message of the error. */
  readonly message?: string | undefined;
  /**
   * With `CONNECTION_CUT`: `before` the request is processed, or `after` it, so that only the response is lost; `before`
   * when absent.
   */
  readonly when?: 'before' | 'after' | undefined;
}

interface Fault {
  readonly kind: FailureKind;
  readonly options: FailOptions;
  left: number;
}

/** Queued failures by operation. */
export type Faults = Map<FailureTarget, Fault[]>;

/**
 * Adds a failure.
 * @throws TypeError for an unknown operation or kind: the failure would never occur
 * @throws RangeError for an invalid number of times
 */
export function addFault(faults: Faults, operation: FailureTarget, kind: FailureKind, options: FailOptions): void {
  const { times = 1 } = options;
  const targets: readonly string[] = [...Object.keys(OPERATIONS), ...OAUTH_ENDPOINTS];
  if (!targets.includes(operation)) {
    throw new TypeError(`There is no operation ${operation}; there are ${targets.join(', ')}`);
  }
  if (kind !== 'CONNECTION_CUT' && !isErrorCode(kind)) {
    throw new TypeError(`There is no failure ${kind}; there are CONNECTION_CUT and the error codes of the platform`);
  }
  if (times !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(times) && times > 0)) {
    throw new RangeError(`times must be a whole number above 0, or Infinity; it is ${times}`);
  }
  const queue = faults.get(operation) ?? [];
  queue.push({ kind, options, left: times });
  faults.set(operation, queue);
}

/** Returns the failure of this call: a refusal, a cut before or after it, or none. */
export function nextFault(
  faults: Faults,
  operation: FailureTarget | null,
): Refusal | 'cut before' | 'cut after' | undefined {
  const queue = operation === null ? undefined : faults.get(operation);
  const fault = queue?.find(({ left }) => left > 0);
  if (!fault) return undefined;
  fault.left -= 1;
  if (fault.kind === 'CONNECTION_CUT') return fault.options.when === 'after' ? 'cut after' : 'cut before';
  const { retryAfter = RETRY_AFTER_CODES.includes(fault.kind) ? 1 : undefined, message } = fault.options;
  return new Refusal(fault.kind, message, {
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  });
}

/** Thrown by `fetch` of the mock for `CONNECTION_CUT`. Every runtime reports a cut connection as a TypeError. */
export class ConnectionCut extends TypeError {
  constructor() {
    super('fetch failed: the mock cut the connection');
  }
}
