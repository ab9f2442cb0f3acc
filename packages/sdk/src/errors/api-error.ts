import { ERROR_CODES, type ErrorCode, type FieldError, isErrorCode } from '@plat/contract';
import type { RateLimit } from '../rate-limit.ts';
import { PlatformError, type PlatformErrorDetails } from './platform-error.ts';

/** What an {@link ApiError} is made from. */
export interface ApiErrorInit extends PlatformErrorDetails {
  readonly status: number;
  readonly rawCode: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly rateLimit: RateLimit | null;
  readonly retryAfter: number | null;
}

/** The service answered with an error body. Branch on {@link code}. */
export class ApiError extends PlatformError {
  /** Always `ApiError`. */
  override readonly name = 'ApiError';
  /**
   * The error code, a closed set. The service may add codes; one that this version does not know appears as the
   * general code of its status (an unknown 409 is `CONFLICT`), which is how the service itself classes them, and
   * {@link rawCode} has the text. So a `switch` over `code` stays complete.
   */
  readonly code: ErrorCode;
  /** The code as the service wrote it. */
  readonly rawCode: string;
  /** HTTP status. */
  readonly status: number;
  /** What is wrong with which field; empty except on INVALID_REQUEST and INVALID_BODY. */
  readonly errors: readonly FieldError[];
  /** State of the rate limit, where the answer told it. */
  readonly rateLimit: RateLimit | null;
  /** Seconds that the service asks to wait before the next try, from `Retry-After`. */
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

  /** The general class of {@link code}: `NOT_FOUND` for `CLIENT_NOT_FOUND`; the code itself when it has none. */
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
