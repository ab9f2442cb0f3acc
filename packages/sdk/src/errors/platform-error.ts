/** Properties that any error of the client can have besides its message. */
export interface PlatformErrorDetails {
  readonly attempts?: number;
  readonly requestId?: string | null;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * Base class of all errors of the client. Distinguish errors by their class or by `code`; the message is for people and
 * may change. No property or printed form of an error contains a credential.
 */
export abstract class PlatformError extends Error {
  /** Stable error code. Each class has one literal or a closed set of literals. */
  abstract readonly code: string;
  /** True if the same call may succeed later. The automatic retries are already used up. */
  readonly retryable: boolean;
  /** Number of requests that were sent for the call; 0 if it failed before the first. */
  readonly attempts: number;
  /** `X-Request-Id` of the response, for support requests; null if there was no response. */
  readonly requestId: string | null;
  /**
   * Set on errors during the iteration of a list: the cursor of the page that could not be loaded, or for an aborted
   * list the id of the last item. All items before it were returned, so that a new list from this cursor misses none.
   * Null for the first page of a list without a cursor.
   */
  cursor: string | null = null;

  constructor(message: string, details: PlatformErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.retryable = details.retryable ?? false;
    this.attempts = details.attempts ?? 0;
    this.requestId = details.requestId ?? null;
  }

  /** Returns the error as plain data, for structured logs. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([...Object.entries(this), ['message', this.message]]);
  }
}
