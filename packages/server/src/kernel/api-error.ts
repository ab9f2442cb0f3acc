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
  /** Response headers of the refusal, for example `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only; never in a response. */
  readonly cause?: unknown;
}

/** A refusal with its stable code. Only the error handlers convert it to a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /** Cuts message and errors to {@link LIMITS}. They may repeat input, and no refusal may grow with its request. */
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
