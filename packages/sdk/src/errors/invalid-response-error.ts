import { PlatformError, type PlatformErrorDetails } from './platform-error.ts';

/** Codes of {@link InvalidResponseError}. */
export type InvalidResponseCode = 'INVALID_RESPONSE' | 'UNEXPECTED_REDIRECT' | 'RESPONSE_TOO_LARGE';

/**
 * What answered does not speak the API: a proxy's HTML page, broken JSON, a redirect. Redirects are never followed,
 * as the credential would go along.
 */
export class InvalidResponseError extends PlatformError {
  /** Always `InvalidResponseError`. */
  override readonly name = 'InvalidResponseError';
  readonly code: InvalidResponseCode;
  /** HTTP status. */
  readonly status: number;
  /** Seconds that the answer asks to wait before the next try, from `Retry-After`. */
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

  /** For transports: the body is larger than `limit` bytes. */
  static tooLarge(status: number, limit: number): InvalidResponseError {
    return new InvalidResponseError('RESPONSE_TOO_LARGE', status, `The answer is larger than ${limit} bytes`);
  }
}
