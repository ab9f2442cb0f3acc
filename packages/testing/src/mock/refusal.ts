import {
  boundFieldErrors,
  ERROR_CODES,
  type ErrorBody,
  type ErrorCode,
  type FieldError,
  LIMITS,
  shorten,
} from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';

/** An error response of the mock. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string = ERROR_REFERENCE[code].description,
    { errors, headers = {} }: { errors?: readonly FieldError[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(shorten(message, LIMITS.errorMessage));
    this.code = code;
    this.errors = errors && boundFieldErrors(errors);
    this.headers = headers;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  toBody(): ErrorBody {
    const { code, message, errors } = this;
    return { code, message, ...(errors ? { errors } : {}) };
  }
}

/** Returns a refusal with field errors. */
export function invalid(code: 'INVALID_REQUEST' | 'INVALID_BODY', errors: readonly FieldError[]): Refusal {
  const what = code === 'INVALID_BODY' ? 'body' : 'request';
  const [first] = errors;
  const detail = first ? `: ${first.path === '' ? '' : `${first.path} `}${first.message}` : '';
  return new Refusal(code, `The ${what} is not valid${detail}`, { errors });
}
