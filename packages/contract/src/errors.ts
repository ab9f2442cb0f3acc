/** One row of {@link ERROR_CODES}. Its texts are in `@plat/contract/error-reference`. */
export interface ErrorCodeInfo {
  /** HTTP status of every response with this code. */
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
  /** General code of the same class; null if this is a general code. */
  readonly general: GeneralErrorCode | null;
}

/** One of the 17 general error codes. */
export type GeneralErrorCode =
  | 'INVALID_REQUEST'
  | 'INVALID_CURSOR'
  | 'INVALID_BODY'
  | 'INVALID_TOKEN'
  | 'UNAUTHORIZED'
  | 'INSUFFICIENT_SCOPE'
  | 'FORBIDDEN'
  | 'VENDOR_KEY_NOT_ALLOWED_ON_V1'
  | 'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'UNPROCESSABLE'
  | 'RATE_LIMITED'
  | 'INVALID_GRANT'
  | 'INVALID_CLIENT_SECRET'
  | 'INVALID_PKCE'
  | 'INTERNAL_ERROR';

/**
 * The 17 general error codes of the specification (Errors). Append-only: a code is never renamed or reused.
 */
export const GENERAL_ERROR_CODES = {
  INVALID_REQUEST: row(400),
  INVALID_CURSOR: row(400),
  INVALID_BODY: row(400),
  INVALID_TOKEN: row(401),
  UNAUTHORIZED: row(401),
  INSUFFICIENT_SCOPE: row(403),
  FORBIDDEN: row(403),
  VENDOR_KEY_NOT_ALLOWED_ON_V1: row(403),
  APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT: row(403),
  NOT_FOUND: row(404),
  CONFLICT: row(409),
  UNPROCESSABLE: row(422),
  RATE_LIMITED: row(429),
  INVALID_GRANT: row(400),
  INVALID_CLIENT_SECRET: row(401),
  INVALID_PKCE: row(400),
  INTERNAL_ERROR: row(500),
} as const satisfies Record<GeneralErrorCode, ErrorCodeInfo>;

/** Specific codes, returned instead of a general code when the condition has its own name. */
export const SPECIFIC_ERROR_CODES = {
  CLIENT_NOT_FOUND: row(404, 'NOT_FOUND'),
  GROUP_NOT_FOUND: row(404, 'NOT_FOUND'),
  GROUP_MEMBER_NOT_FOUND: row(404, 'NOT_FOUND'),
  GROUP_OWNER_NOT_FOUND: row(404, 'NOT_FOUND'),
  USER_NOT_FOUND: row(404, 'NOT_FOUND'),
  LOCATION_NOT_FOUND: row(404, 'NOT_FOUND'),
  ROLE_NOT_FOUND: row(404, 'NOT_FOUND'),
  INVOICE_NOT_FOUND: row(404, 'NOT_FOUND'),
  AUDIT_EVENT_NOT_FOUND: row(404, 'NOT_FOUND'),
  REQUEST_NOT_FOUND: row(404, 'NOT_FOUND'),
  TRACE_NOT_FOUND: row(404, 'NOT_FOUND'),
  WEBHOOK_ENDPOINT_NOT_FOUND: row(404, 'NOT_FOUND'),
  WEBHOOK_EVENT_NOT_FOUND: row(404, 'NOT_FOUND'),
  WEBHOOK_DELIVERY_NOT_FOUND: row(404, 'NOT_FOUND'),
  WEBHOOK_REPLAY_NOT_FOUND: row(404, 'NOT_FOUND'),
  APP_NOT_FOUND: row(404, 'NOT_FOUND'),
  CONSENT_NOT_FOUND: row(404, 'NOT_FOUND'),
  INSTALLATION_NOT_FOUND: row(404, 'NOT_FOUND'),
  API_KEY_NOT_FOUND: row(404, 'NOT_FOUND'),
  MODULE_NOT_FOUND: row(404, 'NOT_FOUND'),
  DEVELOPER_TOKEN_NOT_FOUND: row(404, 'NOT_FOUND'),
  SLUG_IN_USE: row(409, 'CONFLICT'),
  DOMAIN_IN_USE: row(409, 'CONFLICT'),
  EMAIL_IN_USE: row(409, 'CONFLICT'),
  ALREADY_MEMBER: row(409, 'CONFLICT'),
  ALREADY_OWNER: row(409, 'CONFLICT'),
  ROLE_NAME_IN_USE: row(409, 'CONFLICT'),
  WEBHOOK_URL_IN_USE: row(409, 'CONFLICT'),
  IDEMPOTENCY_KEY_REUSED: row(409, 'CONFLICT'),
  IDEMPOTENCY_KEY_IN_USE: row(409, 'CONFLICT'),
  LAST_LOCATION_PROTECTED: row(422, 'UNPROCESSABLE'),
  DEFAULT_LOCATION_PROTECTED: row(422, 'UNPROCESSABLE'),
  LOCATION_IN_USE: row(422, 'UNPROCESSABLE'),
  LAST_OWNER_PROTECTED: row(422, 'UNPROCESSABLE'),
  USER_NOT_DELETABLE: row(422, 'UNPROCESSABLE'),
  USER_NOT_INVITED: row(422, 'UNPROCESSABLE'),
  ROLE_BUILT_IN: row(422, 'UNPROCESSABLE'),
  WEBHOOK_ENDPOINT_LIMIT: row(422, 'UNPROCESSABLE'),
  MODULE_NOT_LAUNCHABLE: row(422, 'UNPROCESSABLE'),
  APP_LIMIT: row(422, 'UNPROCESSABLE'),
  APP_NAME_PROTECTED: row(422, 'UNPROCESSABLE'),
  APP_DISABLED: row(403, 'FORBIDDEN'),
  TENANT_SUSPENDED: row(403, 'FORBIDDEN'),
  WORK_LEFT: row(409, 'CONFLICT'),
  DEV_TOOLS_REFUSED: row(403, 'FORBIDDEN'),
  OAUTH_CANNOT_MANAGE_OWNERS: row(403, 'FORBIDDEN'),
  QUOTA_EXCEEDED: row(422, 'UNPROCESSABLE'),
  MAIL_LIMIT_REACHED: row(429, 'RATE_LIMITED'),
  METHOD_NOT_ALLOWED: row(405),
  PAYLOAD_TOO_LARGE: row(413),
  SERVICE_UNAVAILABLE: row(503),
  AUTHORIZATION_PENDING: row(400, 'INVALID_GRANT'),
  SLOW_DOWN: row(400, 'INVALID_GRANT'),
  EXPIRED_TOKEN: row(400, 'INVALID_GRANT'),
  ACCESS_DENIED: row(400, 'INVALID_GRANT'),
  INVALID_REDIRECT_URI: row(400),
  INVALID_SCOPE: row(400),
} as const satisfies Record<string, ErrorCodeInfo>;

/** Every error code of the service with its HTTP status. */
export const ERROR_CODES = { ...GENERAL_ERROR_CODES, ...SPECIFIC_ERROR_CODES } as const;

/** A stable error code. Codes are only added, so clients need a default branch. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** One entry of `errors` in an INVALID_REQUEST or INVALID_BODY response. */
export interface FieldError {
  /** Dotted path of the field; empty for the body as a whole. */
  readonly path: string;
  /** The rule that the value breaks, for people. */
  readonly message: string;
}

/** The body of every 4xx and 5xx response (specification, Error body). */
export interface ErrorBody {
  /** Stable error code. */
  readonly code: ErrorCode;
  /** Message for people. It may change; branch on `code`. */
  readonly message: string;
  /** Invalid fields. Only present for INVALID_REQUEST and INVALID_BODY. */
  readonly errors?: readonly FieldError[];
}

/** Codes of refusals that have the header `Retry-After`. */
export const RETRY_AFTER_CODES: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'MAIL_LIMIT_REACHED',
  'SERVICE_UNAVAILABLE',
  'IDEMPOTENCY_KEY_IN_USE',
];

/** Returns true if the value is an error code of this version of the contract. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

function row<const S extends ErrorCodeInfo['status'], const G extends GeneralErrorCode | null = null>(
  status: S,
  general: G = null as G,
): { readonly status: S; readonly general: G } {
  return { status, general };
}
