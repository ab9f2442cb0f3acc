import type { ErrorCode } from '@plat/contract';

/** What the process ends with. Scripts branch on these, so a number is never given another meaning. */
export const EXIT_CODES = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  auth: 4,
  notFound: 5,
  conflict: 6,
  rateLimited: 7,
  server: 8,
  network: 9,
  confirmation: 10,
  checkFailed: 11,
} as const;

/** One of {@link EXIT_CODES}. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/**
 * Error code of the API → exit code. Written out and not derived from the status: a script depends on each row, so a
 * new code is placed here on purpose (the compiler asks for it).
 */
export const EXIT_OF_ERROR_CODE = {
  INVALID_REQUEST: EXIT_CODES.refused,
  INVALID_CURSOR: EXIT_CODES.refused,
  INVALID_BODY: EXIT_CODES.refused,
  INVALID_TOKEN: EXIT_CODES.auth,
  UNAUTHORIZED: EXIT_CODES.auth,
  INSUFFICIENT_SCOPE: EXIT_CODES.refused,
  FORBIDDEN: EXIT_CODES.refused,
  VENDOR_KEY_NOT_ALLOWED_ON_V1: EXIT_CODES.refused,
  APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT: EXIT_CODES.refused,
  NOT_FOUND: EXIT_CODES.notFound,
  CONFLICT: EXIT_CODES.conflict,
  UNPROCESSABLE: EXIT_CODES.refused,
  RATE_LIMITED: EXIT_CODES.rateLimited,
  INVALID_GRANT: EXIT_CODES.refused,
  INVALID_CLIENT_SECRET: EXIT_CODES.auth,
  INVALID_PKCE: EXIT_CODES.refused,
  INTERNAL_ERROR: EXIT_CODES.server,
  CLIENT_NOT_FOUND: EXIT_CODES.notFound,
  GROUP_NOT_FOUND: EXIT_CODES.notFound,
  GROUP_MEMBER_NOT_FOUND: EXIT_CODES.notFound,
  GROUP_OWNER_NOT_FOUND: EXIT_CODES.notFound,
  USER_NOT_FOUND: EXIT_CODES.notFound,
  LOCATION_NOT_FOUND: EXIT_CODES.notFound,
  ROLE_NOT_FOUND: EXIT_CODES.notFound,
  INVOICE_NOT_FOUND: EXIT_CODES.notFound,
  AUDIT_EVENT_NOT_FOUND: EXIT_CODES.notFound,
  WEBHOOK_ENDPOINT_NOT_FOUND: EXIT_CODES.notFound,
  WEBHOOK_EVENT_NOT_FOUND: EXIT_CODES.notFound,
  WEBHOOK_DELIVERY_NOT_FOUND: EXIT_CODES.notFound,
  SLUG_IN_USE: EXIT_CODES.conflict,
  DOMAIN_IN_USE: EXIT_CODES.conflict,
  EMAIL_IN_USE: EXIT_CODES.conflict,
  ALREADY_MEMBER: EXIT_CODES.conflict,
  ALREADY_OWNER: EXIT_CODES.conflict,
  ROLE_NAME_IN_USE: EXIT_CODES.conflict,
  WEBHOOK_URL_IN_USE: EXIT_CODES.conflict,
  IDEMPOTENCY_KEY_REUSED: EXIT_CODES.conflict,
  IDEMPOTENCY_KEY_IN_USE: EXIT_CODES.conflict,
  LAST_LOCATION_PROTECTED: EXIT_CODES.refused,
  DEFAULT_LOCATION_PROTECTED: EXIT_CODES.refused,
  LOCATION_IN_USE: EXIT_CODES.refused,
  LAST_OWNER_PROTECTED: EXIT_CODES.refused,
  USER_NOT_DELETABLE: EXIT_CODES.refused,
  USER_NOT_INVITED: EXIT_CODES.refused,
  ROLE_BUILT_IN: EXIT_CODES.refused,
  WEBHOOK_ENDPOINT_LIMIT: EXIT_CODES.refused,
  TENANT_SUSPENDED: EXIT_CODES.refused,
  PAYLOAD_TOO_LARGE: EXIT_CODES.refused,
  SERVICE_UNAVAILABLE: EXIT_CODES.server,
  INVALID_REDIRECT_URI: EXIT_CODES.refused,
  INVALID_SCOPE: EXIT_CODES.refused,
} as const satisfies Record<ErrorCode, ExitCode>;
