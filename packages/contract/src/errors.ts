/** One row of {@link ERROR_CODES}. */
export interface ErrorCodeInfo {
  /** HTTP status that the code is always answered with. */
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
  /** The general code of the same class, when this is a specific one. */
  readonly general: GeneralErrorCode | null;
  /** When the service answers with it, in one sentence. */
  readonly description: string;
}

/** One of the 17 general codes. */
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
  INVALID_REQUEST: row(400, 'Path, query or body fails schema validation; `errors` names each field.'),
  INVALID_CURSOR: row(400, '`starting_after` or `ending_before` is not an id of this list.'),
  INVALID_BODY: row(
    400,
    'The body has unknown fields, lacks required ones or has wrong types; `errors` names each field.',
  ),
  INVALID_TOKEN: row(401, 'The credential is missing, malformed, expired, revoked or unknown.'),
  UNAUTHORIZED: row(401, 'A route outside /v1 needs a signed-in session.'),
  INSUFFICIENT_SCOPE: row(403, 'The credential is valid but lacks the scope that the message names.'),
  FORBIDDEN: row(403, 'Legacy 403 of routes outside /v1; a synonym of INSUFFICIENT_SCOPE.'),
  VENDOR_KEY_NOT_ALLOWED_ON_V1: row(403, 'A legacy vendor-tier key without a tenant called /v1.'),
  APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT: row(
    403,
    'An unverified app asked for a tenant that is not a developer sandbox.',
  ),
  NOT_FOUND: row(404, 'No such path or resource; resources of other tenants answer the same.'),
  CONFLICT: row(409, 'A uniqueness or concurrent-state collision.'),
  UNPROCESSABLE: row(422, 'A valid request that breaks a business rule.'),
  RATE_LIMITED: row(
    429,
    'The rate limit of this credential, or of your network without one, is used up; wait for `Retry-After` seconds.',
  ),
  INVALID_GRANT: row(400, 'The authorization code is expired or used, or the refresh token was used before.'),
  INVALID_CLIENT_SECRET: row(401, 'The client secret at an OAuth endpoint does not match.'),
  INVALID_PKCE: row(400, 'The code verifier does not hash to the code challenge.'),
  INTERNAL_ERROR: row(500, 'An unexpected failure; retry once with exponential backoff.'),
} as const satisfies Record<GeneralErrorCode, ErrorCodeInfo>;

/** Codes returned in place of a general one, where the condition has a name of its own. */
export const SPECIFIC_ERROR_CODES = {
  CLIENT_NOT_FOUND: row(404, 'The client does not exist in the tenant.', 'NOT_FOUND'),
  GROUP_NOT_FOUND: row(404, 'The group does not exist in the tenant.', 'NOT_FOUND'),
  GROUP_MEMBER_NOT_FOUND: row(404, 'The client is not a member of the group.', 'NOT_FOUND'),
  GROUP_OWNER_NOT_FOUND: row(404, 'The user is not an owner of the group.', 'NOT_FOUND'),
  USER_NOT_FOUND: row(404, 'The user does not exist in the tenant.', 'NOT_FOUND'),
  LOCATION_NOT_FOUND: row(404, 'The location does not exist under this client or group.', 'NOT_FOUND'),
  ROLE_NOT_FOUND: row(404, 'The role does not exist in the tenant.', 'NOT_FOUND'),
  INVOICE_NOT_FOUND: row(404, 'The invoice does not exist in the tenant.', 'NOT_FOUND'),
  AUDIT_EVENT_NOT_FOUND: row(404, 'The audit event does not exist in the tenant.', 'NOT_FOUND'),
  REQUEST_NOT_FOUND: row(404, 'The request log of the tenant has no such request, or no longer.', 'NOT_FOUND'),
  WEBHOOK_ENDPOINT_NOT_FOUND: row(404, 'The webhook endpoint does not exist in the tenant.', 'NOT_FOUND'),
  WEBHOOK_EVENT_NOT_FOUND: row(404, 'The event does not exist in the tenant, or its 30 days are over.', 'NOT_FOUND'),
  WEBHOOK_DELIVERY_NOT_FOUND: row(404, 'The webhook delivery does not exist in the tenant.', 'NOT_FOUND'),
  WEBHOOK_REPLAY_NOT_FOUND: row(404, 'The replay does not exist in the tenant, or ended long ago.', 'NOT_FOUND'),
  APP_NOT_FOUND: row(404, 'The OAuth app does not exist in the developer account.', 'NOT_FOUND'),
  CONSENT_NOT_FOUND: row(404, 'The tenant has no such consent.', 'NOT_FOUND'),
  API_KEY_NOT_FOUND: row(404, 'The tenant has no API key.', 'NOT_FOUND'),
  MODULE_NOT_FOUND: row(404, 'The catalog has no such module.', 'NOT_FOUND'),
  DEVELOPER_TOKEN_NOT_FOUND: row(404, 'The developer account has no such login.', 'NOT_FOUND'),
  SLUG_IN_USE: row(409, 'The slug is used by another object of the tenant.', 'CONFLICT'),
  DOMAIN_IN_USE: row(409, 'The domain is used by another client.', 'CONFLICT'),
  EMAIL_IN_USE: row(409, 'The e-mail address belongs to another user of the tenant.', 'CONFLICT'),
  ALREADY_MEMBER: row(409, 'The client is a member of the group already.', 'CONFLICT'),
  ALREADY_OWNER: row(409, 'The user owns the group already, or is invited to.', 'CONFLICT'),
  ROLE_NAME_IN_USE: row(409, 'The tenant has a role with this name already.', 'CONFLICT'),
  WEBHOOK_URL_IN_USE: row(409, 'The tenant has a webhook endpoint with this URL already.', 'CONFLICT'),
  IDEMPOTENCY_KEY_REUSED: row(409, 'The Idempotency-Key was used with another request.', 'CONFLICT'),
  IDEMPOTENCY_KEY_IN_USE: row(
    409,
    'The first request with this Idempotency-Key is still running; wait for `Retry-After` seconds.',
    'CONFLICT',
  ),
  LAST_LOCATION_PROTECTED: row(422, 'The only location cannot be deleted.', 'UNPROCESSABLE'),
  DEFAULT_LOCATION_PROTECTED: row(
    422,
    'The default location cannot be deleted or cleared; make another one the default first.',
    'UNPROCESSABLE',
  ),
  LOCATION_IN_USE: row(422, 'Users are assigned to the location.', 'UNPROCESSABLE'),
  LAST_OWNER_PROTECTED: row(422, 'The last active owner can be neither deactivated nor demoted.', 'UNPROCESSABLE'),
  USER_NOT_DELETABLE: row(422, 'Only an invited user can be withdrawn; deactivate the user instead.', 'UNPROCESSABLE'),
  USER_NOT_INVITED: row(422, 'The user is not waiting for an invitation to be accepted.', 'UNPROCESSABLE'),
  ROLE_BUILT_IN: row(422, 'Built-in roles cannot be changed.', 'UNPROCESSABLE'),
  WEBHOOK_ENDPOINT_LIMIT: row(422, 'The tenant has as many webhook endpoints as it may have.', 'UNPROCESSABLE'),
  MODULE_NOT_LAUNCHABLE: row(422, 'The module has no launch URL or no audience.', 'UNPROCESSABLE'),
  APP_LIMIT: row(422, 'The developer account has as many OAuth apps as it may have.', 'UNPROCESSABLE'),
  APP_NAME_PROTECTED: row(422, 'Name and website of a verified app are what was reviewed, and stay.', 'UNPROCESSABLE'),
  APP_DISABLED: row(403, 'The OAuth app is disabled, by its developer or by the platform.', 'FORBIDDEN'),
  TENANT_SUSPENDED: row(403, 'The tenant is suspended; access is frozen until it is reactivated.', 'FORBIDDEN'),
  WORK_LEFT: row(
    409,
    'Development mode: work was still due or under way when the time to wait for it was over.',
    'CONFLICT',
  ),
  DEV_TOOLS_REFUSED: row(403, 'Development mode: the database is one that production has used.', 'FORBIDDEN'),
  OAUTH_CANNOT_MANAGE_OWNERS: row(
    403,
    'An OAuth token tried to create, invite or change a user with the role `owner`; only an API key can.',
    'FORBIDDEN',
  ),
  QUOTA_EXCEEDED: row(
    422,
    'The tenant has reached its quota; the message names the quota and its limit.',
    'UNPROCESSABLE',
  ),
  MAIL_LIMIT_REACHED: row(
    429,
    'The mail limit of the recipient, the tenant or the network is used up; wait for `Retry-After` seconds.',
    'RATE_LIMITED',
  ),
  METHOD_NOT_ALLOWED: row(405, 'The OAuth endpoint takes another method; `Allow` names it.'),
  PAYLOAD_TOO_LARGE: row(413, 'The body is larger than the operation takes.'),
  SERVICE_UNAVAILABLE: row(503, 'The server is starting, stopping or overloaded; retry after `Retry-After` seconds.'),
  AUTHORIZATION_PENDING: row(400, 'The developer has not answered yet; poll again.', 'INVALID_GRANT'),
  SLOW_DOWN: row(400, 'Polled too soon; wait 5 seconds longer between two polls from now on.', 'INVALID_GRANT'),
  EXPIRED_TOKEN: row(400, 'Nobody approved the login in time; begin it anew.', 'INVALID_GRANT'),
  ACCESS_DENIED: row(400, 'The developer refused the login.', 'INVALID_GRANT'),
  INVALID_REDIRECT_URI: row(400, 'redirect_uri is not registered, or not byte-identical at authorize and token.'),
  INVALID_SCOPE: row(400, "The requested scope is not a subset of the app's declared scopes."),
} as const satisfies Record<string, ErrorCodeInfo>;

/** Every error code of the service with its HTTP status. */
export const ERROR_CODES = { ...GENERAL_ERROR_CODES, ...SPECIFIC_ERROR_CODES } as const;

/** A stable error code. Codes are only ever added, so a client keeps a default branch. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** One entry of `errors` on INVALID_REQUEST and INVALID_BODY. */
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
  /** For people; may change. Branch on `code`. */
  readonly message: string;
  /** Only on INVALID_REQUEST and INVALID_BODY. */
  readonly errors?: readonly FieldError[];
}

/** Checks that a value is an error code that this version of the contract knows. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

function row<const S extends ErrorCodeInfo['status'], const G extends GeneralErrorCode | null = null>(
  status: S,
  description: string,
  general: G = null as G,
): { readonly status: S; readonly general: G; readonly description: string } {
  return { status, general, description };
}
