import { ERROR_CODES, type ErrorCode, type FieldError, isErrorCode } from '@plat/contract';
import type { RateLimit } from '../rate-limit.ts';
import { PlatformError, type PlatformErrorDetails } from './platform-error.ts';

/** Properties of a new {@link ApiError}. */
export interface ApiErrorInit extends PlatformErrorDetails {
  readonly status: number;
  readonly rawCode: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly rateLimit: RateLimit | null;
  readonly retryAfter: number | null;
}

/** Thrown if the service responded with an error body. Branch on {@link code}. */
export class ApiError extends PlatformError {
  /** Always `ApiError`. */
  override readonly name = 'ApiError';
  /**
   * The error code, from a closed set. The service may add codes. A code that this version does not have is mapped to
   * the general code of its status, for example an unknown 409 to `CONFLICT`; {@link rawCode} has the original text. A
   * `switch` over `code` therefore stays complete.
   */
  readonly code: ErrorCode;
  /** The error code as sent by the service. */
  readonly rawCode: string;
  /** HTTP status. */
  readonly status: number;
  /** Invalid fields with their errors; empty except for INVALID_REQUEST and INVALID_BODY. */
  readonly errors: readonly FieldError[];
  /** State of the rate limit; null if the response did not include it. */
  readonly rateLimit: RateLimit | null;
  /** Seconds to wait before the next attempt, from `Retry-After`; null if the response did not include it. */
  readonly retryAfter: number | null;

  constructor(init: ApiErrorInit) {
    super(`${init.message} (${init.rawCode}, HTTP ${init.status})`, init);
    this.code = isErrorCode(init.rawCode) ? init.rawCode : codeOfStatus(init.status);
    this.rawCode = init.rawCode;
    this.status = init.status;
    this.errors = init.errors;
    this.rateLimit = init.rateLimit;
    this.retryAfter = init.retryAfter;
  }

  /** The general code of {@link code}: `NOT_FOUND` for `CLIENT_NOT_FOUND`. A general code is returned unchanged. */
  get generalCode(): ErrorCode {
    const { general } = ERROR_CODES[this.code];
    return isErrorCode(general) ? general : this.code;
  }
}

function codeOfStatus(status: number): ErrorCode {
  switch (status) {
    case 401:
      return 'INVALID_TOKEN';
    case 403:
      return 'FORBIDDEN';
    case 404:
      return 'NOT_FOUND';
    case 409:
      return 'CONFLICT';
    case 413:
      return 'PAYLOAD_TOO_LARGE';
    case 422:
      return 'UNPROCESSABLE';
    case 429:
      return 'RATE_LIMITED';
    case 503:
      return 'SERVICE_UNAVAILABLE';
    default:
      return status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST';
  }
}
