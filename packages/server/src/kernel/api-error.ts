import {
  boundFieldErrors,
  ERROR_CODES,
  type ErrorBody,
  type ErrorCode,
  type FieldError,
  LIMITS,
  shorten,
} from '@plat/contract';

interface ApiErrorOptions {
  /** Only with INVALID_REQUEST and INVALID_BODY. */
  readonly errors?: readonly FieldError[];
  /** Response headers that belong to the refusal, for example `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only; never answered. */
  readonly cause?: unknown;
}

/** A refusal with its stable code. The error handler alone turns it into a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /** The message and the errors may repeat input: both are cut to {@link LIMITS}, so that no refusal grows with its request. */
  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(shorten(message, LIMITS.errorMessage), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors && boundFieldErrors(options.errors);
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  toBody(): ErrorBody {
    const body = { code: this.code, message: this.message };
    return this.errors ? { ...body, errors: this.errors } : body;
  }
}
