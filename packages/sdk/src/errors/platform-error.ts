/** What every error of the client may carry beside its message. */
export interface PlatformErrorDetails {
  readonly attempts?: number;
  readonly requestId?: string | null;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * Base of everything that the client throws. Tell errors apart by their class or by `code`; the message is for people
 * and may change. No error holds a credential, in any property or printed form.
 */
export abstract class PlatformError extends Error {
  /** A stable name of what went wrong: one literal, or a closed set of them, for each class. */
  abstract readonly code: string;
  /** Whether the same call may succeed later. The client's own retries are used up when you see the error. */
  readonly retryable: boolean;
  /** Requests that were sent for the call; 0 when it failed before the first. */
  readonly attempts: number;
  /** `X-Request-Id` of the answer, the value to give to support; null when there was no answer. */
  readonly requestId: string | null;
  /**
   * On an error thrown while a list was walked: the id behind which (or, backwards, before which) the page was asked
   * for that could not be had; when the list was aborted, the id of the last item. Every item up to it was handed out, so a
   * new list from there misses none; null when it was the first page of a list without a cursor.
   */
  cursor: string | null = null;

  constructor(message: string, details: PlatformErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.retryable = details.retryable ?? false;
    this.attempts = details.attempts ?? 0;
    this.requestId = details.requestId ?? null;
  }

  /** The error as plain data, for structured logs. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([...Object.entries(this), ['message', this.message]]);
  }
}
