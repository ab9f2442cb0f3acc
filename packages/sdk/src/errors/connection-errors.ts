import { PlatformError, type PlatformErrorDetails } from './platform-error.ts';

/**
 * No answer came: the address could not be reached, or the connection broke before the answer was complete. Whether
 * the service did the work is not known. `cause` has the system's error, without what libraries hang on it.
 */
export class ConnectionError extends PlatformError {
  /** Always `ConnectionError`. */
  override readonly name = 'ConnectionError';
  readonly code = 'CONNECTION_FAILED';
}

/** The time that one attempt or the whole call may take is over. */
export class TimeoutError extends PlatformError {
  /** Always `TimeoutError`. */
  override readonly name = 'TimeoutError';
  readonly code = 'TIMEOUT';
  /** `attempt`: the last attempt took longer than `timeout`. `total`: the call took longer than `totalTimeout`. */
  readonly scope: 'attempt' | 'total';

  constructor(scope: 'attempt' | 'total', milliseconds: number, details: PlatformErrorDetails) {
    const what = scope === 'attempt' ? 'No complete answer' : 'The call did not succeed';
    super(`${what} within ${milliseconds} ms`, details);
    this.scope = scope;
  }
}

/** The caller's AbortSignal ended the call. `cause` is the signal's reason. The name is the platform's, AbortError. */
export class AbortedError extends PlatformError {
  /** Always `AbortError`, as in web APIs. */
  override readonly name = 'AbortError';
  readonly code = 'ABORTED';
}
