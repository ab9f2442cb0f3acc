import { PlatformError, type PlatformErrorDetails } from './platform-error.ts';

/**
 * Thrown if no complete response arrived: the service could not be reached, or the connection broke. The operation may
 * or may not have been performed. `cause` is the error of the system, without the properties that libraries add.
 */
export class ConnectionError extends PlatformError {
  /** Always `ConnectionError`. */
  override readonly name = 'ConnectionError';
  readonly code = 'CONNECTION_FAILED';
}

/** Thrown if an attempt or the whole call exceeded its time-out. */
export class TimeoutError extends PlatformError {
  /** Always `TimeoutError`. */
  override readonly name = 'TimeoutError';
  readonly code = 'TIMEOUT';
  /** `attempt`: the last attempt exceeded `timeout`. `total`: the call exceeded `totalTimeout`. */
  readonly scope: 'attempt' | 'total';

  constructor(scope: 'attempt' | 'total', milliseconds: number, details: PlatformErrorDetails) {
    const problem = scope === 'attempt' ? 'No complete answer' : 'The call did not succeed';
    super(`${problem} within ${milliseconds} ms`, details);
    this.scope = scope;
  }
}

/**
 * Thrown if the AbortSignal of the caller ended the call. `cause` is the reason of the signal. Its `name` is
 * `AbortError`, as in web APIs.
 */
export class AbortedError extends PlatformError {
  /** Always `AbortError`, as in web APIs. */
  override readonly name = 'AbortError';
  readonly code = 'ABORTED';
}
