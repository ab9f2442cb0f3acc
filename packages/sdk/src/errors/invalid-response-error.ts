import { PlatformError, type PlatformErrorDetails } from './platform-error.ts';

/** Codes of {@link InvalidResponseError}. */
export type InvalidResponseCode = 'INVALID_RESPONSE' | 'UNEXPECTED_REDIRECT' | 'RESPONSE_TOO_LARGE';

/**
 * Thrown if the response does not come from the API: an HTML page of a proxy, broken JSON, a redirect. Redirects are
 * never followed, because they would pass on the credential.
 */
export class InvalidResponseError extends PlatformError {
  /** Always `InvalidResponseError`. */
  override readonly name = 'InvalidResponseError';
  readonly code: InvalidResponseCode;
  /** HTTP status. */
  readonly status: number;
  /** Seconds to wait before the next attempt, from `Retry-After`; null if the response did not include it. */
  readonly retryAfter: number | null;

  constructor(
    code: InvalidResponseCode,
    status: number,
    message: string,
    details: PlatformErrorDetails & { readonly retryAfter?: number | null } = {},
  ) {
    super(message, details);
    this.code = code;
    this.status = status;
    this.retryAfter = details.retryAfter ?? null;
  }

  /** Creates the error for a body of more than `limit` bytes. For transports. */
  static tooLarge(status: number, limit: number): InvalidResponseError {
    return new InvalidResponseError('RESPONSE_TOO_LARGE', status, `The response is larger than ${limit} bytes`);
  }
}
