import type { ErrorCode } from './errors.ts';

export * from './delivery-error-reference.ts';

/** Class of a failure that a program can branch on. The `plat` command maps each class to one exit code. */
export type ErrorExitClass = 'refused' | 'auth' | 'notFound' | 'conflict' | 'rateLimited' | 'server';

/** Cause, fix and exit class of an error code. `cause` and `fix` are Markdown in one line. */
export interface ErrorExplanation<ExitClass extends string = ErrorExitClass> {
  /** Class of the failure, which the command line maps to an exit code. */
  readonly exit: ExitClass;
  /** Conditions under which the code is returned. */
  readonly cause: string;
  /** Action that resolves the error. */
  readonly fix: string;
}

/** Texts and exit class of one error code of the API. */
export interface ErrorReference extends ErrorExplanation {
  /** Summary in one sentence, as shown in the OpenAPI document. */
  readonly description: string;
}

/**
 * Texts and exit class of every error code of the API. `ERROR_CODES` has the status and the general class. This table
 * is a separate entry point so that client libraries do not bundle it. `docs/errors.md`, OpenAPI and `plat explain` are
 * derived from it.
 */
export const ERROR_REFERENCE: Readonly<Record<ErrorCode, ErrorReference>> = {
  INVALID_REQUEST: {
    exit: 'refused',
    description: 'Path, query or body fails schema validation; `errors` names each field.',
    cause:
      'A query parameter is unknown or has a wrong value, both cursors are given, the `Idempotency-Key` is malformed, or the path cannot be decoded.',
    fix: 'Correct the fields that `errors` names.',
  },
  INVALID_CURSOR: {
    exit: 'refused',
    description: '`starting_after` or `ending_before` is not an id of this list.',
    cause:
      '`starting_after` or `ending_before` is not the id of an item of this list. Members are listed by client id, owners by user id.',
    fix: 'Use the first or last id of a page of the same list, or omit the cursor.',
  },
  INVALID_BODY: {
    exit: 'refused',
    description: 'The body has unknown fields, lacks required ones or has wrong types; `errors` names each field.',
    cause:
      'The body is empty, not JSON in UTF-8, not an object, not sent as `application/json`, has unknown, missing or wrong fields, a field twice, or more than 500 fields.',
    fix: 'Correct the fields that `errors` names.',
  },
  INVALID_TOKEN: {
    exit: 'auth',
    description: 'The credential is missing, malformed, expired, revoked or unknown.',
    cause:
      'The request has no credential, more than one, or one in the query or a form; or the credential is malformed, unknown, expired, revoked or was replaced.',
    fix: 'Send `Authorization: Bearer <key>`. The key of a local sandbox is in `.plat/sandbox.json`.',
  },
  UNAUTHORIZED: {
    exit: 'auth',
    ...same('A route outside /v1 needs a signed-in session.'),
    fix: 'Sign in.',
  },
  INSUFFICIENT_SCOPE: {
    exit: 'refused',
    description: 'The credential is valid but lacks the scope that the message names.',
    cause: 'The credential is valid but lacks the scope that the message names. Write does not include read.',
    fix: 'Use a key with that scope: `plat me` (`GET /v1/me`) shows the scopes of a key, `plat keys mint --scopes <scope>,…` creates one.',
  },
  FORBIDDEN: {
    exit: 'refused',
    ...same('Legacy 403 of routes outside /v1; a synonym of INSUFFICIENT_SCOPE.'),
    fix: 'Read the message, which names the missing permission; use an account or credential that has it.',
  },
  VENDOR_KEY_NOT_ALLOWED_ON_V1: {
    exit: 'refused',
    ...same('A legacy vendor-tier key without a tenant called /v1.'),
    fix: 'Use the API key of a tenant.',
  },
  APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT: {
    exit: 'refused',
    ...same('An unverified app requested access to a tenant that is not a developer sandbox.'),
    fix: 'Request verification of the app: `plat apps request-verification <app_id>`.',
  },
  NOT_FOUND: {
    exit: 'notFound',
    description: 'The path or resource does not exist; resources of other tenants get the same answer.',
    cause: 'The path or method does not exist. Paths are case-sensitive and have no trailing slash.',
    fix: 'Check method, path and base URL (which ends before `/v1`).',
  },
  CONFLICT: {
    exit: 'conflict',
    description: 'A uniqueness or concurrent-state collision.',
    cause: 'General code of all collisions. No operation returns it itself today.',
    fix: 'Read the object again, then decide whether to retry.',
  },
  UNPROCESSABLE: {
    exit: 'refused',
    description: 'A valid request that breaks a business rule.',
    cause: 'The request breaks a business rule without a specific error code.',
    fix: 'Read the message, which names the rule; change the request, or the object that it refers to.',
  },
  RATE_LIMITED: {
    exit: 'rateLimited',
    description:
      'The rate limit of this credential, or of your network without one, is used up; wait for `Retry-After` seconds.',
    cause:
      'The rate limit of this credential is used up. Without a credential the limit of your network applies; a sandbox also limits changes.',
    fix: 'Wait for `Retry-After` seconds; see [rate limits](rate-limits.md).',
  },
  INVALID_GRANT: {
    exit: 'refused',
    description: 'The authorization code is expired or used, or the refresh token was used before.',
    cause:
      'The authorization code or refresh token is unknown, expired, already used, revoked, or belongs to another app.',
    fix: 'Send the owner to `/oauth/authorize` again.',
  },
  INVALID_CLIENT_SECRET: {
    exit: 'auth',
    ...same('The client secret at an OAuth endpoint does not match.'),
    fix: 'Use the current client secret of the app.',
  },
  INVALID_PKCE: {
    exit: 'refused',
    ...same('The code verifier does not hash to the code challenge.'),
    fix: 'Send the code verifier of the same authorization request.',
  },
  INTERNAL_ERROR: {
    exit: 'server',
    description: 'An unexpected failure; retry once with exponential backoff.',
    cause: 'The server failed unexpectedly. Its log has the details under the request id.',
    fix: 'Retry once after a pause, a POST with the same `Idempotency-Key`; if it fails again, report the request id.',
  },
  CLIENT_NOT_FOUND: {
    exit: 'notFound',
    description: 'The client does not exist in the tenant.',
    cause: 'The client does not exist in the tenant, was deleted, or the id is malformed.',
    fix: 'Check the id and the tenant of the key; list the clients: `plat clients list`.',
  },
  GROUP_NOT_FOUND: {
    exit: 'notFound',
    description: 'The group does not exist in the tenant.',
    cause: 'The group does not exist in the tenant, was deleted, or the id is malformed.',
    fix: 'Check the id and the tenant of the key; list the groups: `plat groups list`.',
  },
  GROUP_MEMBER_NOT_FOUND: {
    exit: 'notFound',
    ...same('The client is not a member of the group.'),
    fix: 'List the members: `plat groups members list <group_id>`.',
  },
  GROUP_OWNER_NOT_FOUND: {
    exit: 'notFound',
    ...same('The user is not an owner of the group.'),
    fix: 'List the owners: `plat groups owners list <group_id>`.',
  },
  USER_NOT_FOUND: {
    exit: 'notFound',
    description: 'The user does not exist in the tenant.',
    cause: 'The user does not exist in the tenant, or the id is malformed.',
    fix: 'Check the id and the tenant of the key; list the users: `plat users list`.',
  },
  LOCATION_NOT_FOUND: {
    exit: 'notFound',
    ...same('The location does not exist under this client or group.'),
    fix: 'Check both ids; list the locations: `plat clients locations list <client_id>` or `plat groups locations list <group_id>`.',
  },
  ROLE_NOT_FOUND: {
    exit: 'notFound',
    description: 'The role does not exist in the tenant.',
    cause: 'The role does not exist in the tenant, or the id is malformed.',
    fix: 'Check the name or the id; list the roles: `plat roles list`.',
  },
  INVOICE_NOT_FOUND: {
    exit: 'notFound',
    description: 'The invoice does not exist in the tenant.',
    cause: 'The invoice does not exist in the tenant, or the id is malformed.',
    fix: 'Check the id; list the invoices: `plat billing invoices list`.',
  },
  AUDIT_EVENT_NOT_FOUND: {
    exit: 'notFound',
    description: 'The audit event does not exist in the tenant.',
    cause: 'The audit event does not exist in the tenant, or the id is malformed.',
    fix: 'Check the id; list the audit events: `plat audit events list`.',
  },
  REQUEST_NOT_FOUND: {
    exit: 'notFound',
    description: 'The request log of the tenant has no such request, or no longer has it.',
    cause:
      'The request log of the tenant has no such request. A sandbox logs every request, other tenants only failed ones; entries expire after some days. A request without a valid credential is in no log of a tenant.',
    fix: 'List the requests: `plat requests list`; on a development server `plat dev requests`. The log of the server has every request id.',
  },
  TRACE_NOT_FOUND: {
    exit: 'notFound',
    description: 'Nothing is recorded about this id, address or slug in the tenant or app.',
    cause:
      'The id, e-mail address or slug is misspelt, belongs to another tenant, or all that was recorded about it has expired.',
    fix: 'Check the text, and with `plat me` the tenant. `plat requests list` and `plat webhooks events list` show the ids that exist; for an app, `plat apps webhooks events list <app_id>`.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    exit: 'notFound',
    description: 'The webhook endpoint does not exist in the tenant.',
    cause: 'The webhook endpoint does not exist in the tenant, or was deleted.',
    fix: 'List the endpoints: `plat webhooks endpoints list`.',
  },
  WEBHOOK_EVENT_NOT_FOUND: {
    exit: 'notFound',
    description: 'The event does not exist in the tenant, or is older than 30 days.',
    cause: 'The event does not exist in the tenant. Events are available for 30 days.',
    fix: 'List the events: `plat webhooks events list`.',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    exit: 'notFound',
    description: 'The webhook delivery does not exist in the tenant.',
    cause: 'The delivery attempt does not exist in the tenant.',
    fix: 'List the deliveries: `plat webhooks deliveries list`.',
  },
  WEBHOOK_REPLAY_NOT_FOUND: {
    exit: 'notFound',
    description: 'The replay does not exist in the tenant, or ended long ago.',
    cause: 'The replay does not exist in the tenant, or was created more than 30 days ago and has ended.',
    fix: 'List the replays: `plat webhooks replays list`.',
  },
  APP_NOT_FOUND: {
    exit: 'notFound',
    ...same('The OAuth app does not exist in the developer account.'),
    fix: 'List the apps: `plat apps list`.',
  },
  INSTALLATION_NOT_FOUND: {
    exit: 'notFound',
    description: 'The app has no such installation.',
    cause: 'The app has no such installation, or it ended more than 30 days ago.',
    fix: 'List the installations: `plat apps installations list <app_id>`.',
  },
  CONSENT_NOT_FOUND: {
    exit: 'notFound',
    description: 'The tenant has no such consent.',
    cause: 'The tenant has no such consent, or it ended more than 30 days ago.',
    fix: 'List the consents: `plat consents list`.',
  },
  API_KEY_NOT_FOUND: {
    exit: 'notFound',
    description: 'The tenant has no API key.',
    cause: 'The sandbox has no API key.',
    fix: 'Create one: `plat keys mint`.',
  },
  DEVELOPER_TOKEN_NOT_FOUND: {
    exit: 'notFound',
    description: 'The developer account has no such login.',
    cause: 'The developer account has no such login, or it was ended.',
    fix: 'List the logins: `plat auth list` (`GET /developer/v1/tokens`).',
  },
  MODULE_NOT_FOUND: {
    exit: 'notFound',
    description: 'The catalog has no such module.',
    cause: 'The catalog has no module with this slug.',
    fix: 'List the modules: `plat modules list` (`GET /v1/modules/catalog`).',
  },
  SLUG_IN_USE: {
    exit: 'conflict',
    description: 'The slug is used by another object of the tenant.',
    cause: 'Another client (or for a group, another group) of the tenant has this slug.',
    fix: 'Choose another slug, or omit it: the service then derives one from the name.',
  },
  DOMAIN_IN_USE: {
    exit: 'conflict',
    description: 'The domain is used by another client.',
    cause: 'Another client has this domain: of any production tenant or, in a sandbox, of that sandbox.',
    fix: 'Choose another domain. If the domain is yours, ask the platform to release it.',
  },
  EMAIL_IN_USE: {
    exit: 'conflict',
    description: 'The e-mail address belongs to another user of the tenant.',
    cause: 'Another user of the tenant has this address; upper and lower case are the same.',
    fix: 'Change that user instead: `plat users list --email <address>`.',
  },
  ALREADY_MEMBER: {
    exit: 'conflict',
    ...same('The client is a member of the group already.'),
    fix: 'No action is needed; list the members: `plat groups members list <group_id>`.',
  },
  ALREADY_OWNER: {
    exit: 'conflict',
    ...same('The user owns the group already, or is invited to.'),
    fix: 'No action is needed; list the owners: `plat groups owners list <group_id>`.',
  },
  ROLE_NAME_IN_USE: {
    exit: 'conflict',
    description: 'The tenant has a role with this name already.',
    cause: 'The tenant has a role with this name already. The names of the built-in roles are reserved.',
    fix: 'Choose another name, or change that role: `plat roles list`.',
  },
  WEBHOOK_URL_IN_USE: {
    exit: 'conflict',
    description: 'The tenant has a webhook endpoint with this URL already.',
    cause: 'The tenant has a webhook endpoint with this URL already, perhaps in another spelling.',
    fix: 'List the endpoints with `plat webhooks endpoints list`. Change or delete that endpoint, or rotate its secret if you need a new one.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    exit: 'conflict',
    description: 'The Idempotency-Key was used with another request.',
    cause: 'The `Idempotency-Key` was used with another path, query or body within 24 hours.',
    fix: 'Use a new key for each operation; see [idempotency](idempotency.md).',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    exit: 'conflict',
    description: 'The first request with this Idempotency-Key is still running; wait for `Retry-After` seconds.',
    cause: 'The first request with this `Idempotency-Key` is still running.',
    fix: 'Wait for `Retry-After` seconds, then send the request again unchanged.',
  },
  LAST_LOCATION_PROTECTED: {
    exit: 'refused',
    ...same('The only location cannot be deleted.'),
    fix: 'Create another location first.',
  },
  DEFAULT_LOCATION_PROTECTED: {
    exit: 'refused',
    description: 'The default location cannot be deleted or cleared; make another one the default first.',
    cause: 'The default location cannot be deleted or cleared.',
    fix: 'Make another location the default first (`default`: true; `--default`).',
  },
  LOCATION_IN_USE: {
    exit: 'refused',
    ...same('Users are assigned to the location.'),
    fix: 'Assign them to another location first: `plat users update <user_id> --location-id <location_id>`.',
  },
  LAST_OWNER_PROTECTED: {
    exit: 'refused',
    ...same('The last active owner can be neither deactivated nor demoted.'),
    fix: 'Make another user an owner first: `plat users update <user_id> --role owner`.',
  },
  USER_NOT_DELETABLE: {
    exit: 'refused',
    description: 'Only an invited user can be withdrawn; deactivate the user instead.',
    cause: 'Only a user who has not accepted the invitation can be deleted.',
    fix: 'Deactivate the user: `plat users deactivate <user_id>`.',
  },
  USER_NOT_INVITED: {
    exit: 'refused',
    description: 'The user has no pending invitation.',
    cause: 'The user accepted the invitation or was deactivated, so there is no invitation to resend.',
    fix: 'Check the `status` of the user: `plat users get <user_id>`.',
  },
  ROLE_BUILT_IN: {
    exit: 'refused',
    ...same('Built-in roles cannot be changed.'),
    fix: 'Create a role of your own: `plat roles create`.',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    exit: 'refused',
    description: 'The tenant has reached its limit of webhook endpoints.',
    cause: 'The tenant has reached its limit of webhook endpoints: 50, in a sandbox 10.',
    fix: 'Delete an endpoint that you do not need: `plat webhooks endpoints delete <endpoint_id>`.',
  },
  MODULE_NOT_LAUNCHABLE: {
    exit: 'refused',
    ...same('The module has no launch URL or no audience.'),
    fix: 'Ask the platform to set both (the operator does it with `plat-server catalog apply`).',
  },
  APP_LIMIT: {
    exit: 'refused',
    description: 'The developer account has reached its limit of OAuth apps.',
    cause: 'The developer account has reached its limit of OAuth apps, 50 by default.',
    fix: 'Delete an app that you do not need: `plat apps delete <app_id>`.',
  },
  APP_NAME_PROTECTED: {
    exit: 'refused',
    ...same('Name and website of an app cannot be changed from the request of its review on.'),
    fix: 'Wait for the result of the review. For another name, register another app: `plat apps register`.',
  },
  APP_DISABLED: {
    exit: 'refused',
    description: 'The OAuth app is disabled, by its developer or by the platform.',
    cause: 'The OAuth app was disabled, by its developer or by the platform. That ended all its consents.',
    fix: 'If its developer disabled it, run `plat apps enable <app_id>`; otherwise ask the platform. Tenants then consent again.',
  },
  TENANT_SUSPENDED: {
    exit: 'refused',
    description: 'The tenant is suspended; access is frozen until it is reactivated.',
    cause: 'The tenant is suspended.',
    fix: 'Ask the platform to reactivate the tenant; no data is lost.',
  },
  WORK_LEFT: {
    exit: 'conflict',
    ...same('Development mode: deliveries or jobs were still pending when the wait timed out.'),
    fix: 'Wait again, with more time in `timeout_ms`. The message has the number of pending deliveries and jobs; a receiver that hangs takes ten seconds for each attempt.',
  },
  DEV_TOOLS_REFUSED: {
    exit: 'refused',
    description: 'Development mode: a production server has used the database.',
    cause: 'Development mode: a production server has used the database, so `/_dev` is disabled.',
    fix: 'Start the development mode with a separate database.',
  },
  OAUTH_CANNOT_MANAGE_OWNERS: {
    exit: 'refused',
    ...same('An OAuth token tried to create, invite or change a user with the role `owner`; only an API key can.'),
    fix: 'Make the change with the API key of the tenant.',
  },
  QUOTA_EXCEEDED: {
    exit: 'refused',
    description: 'The tenant has reached its quota; the message names the quota and its limit.',
    cause:
      'The tenant has reached its quota; the message names the quota and its limit. Sandboxes have smaller quotas.',
    fix: 'Delete objects that you no longer need, or ask the platform for a higher quota.',
  },
  MAIL_LIMIT_REACHED: {
    exit: 'rateLimited',
    description:
      'The mail limit of the recipient, the tenant or the network is used up; wait for `Retry-After` seconds.',
    cause:
      'The mail limit of the recipient, the tenant or the network is used up. Nothing was changed, and no mail was sent.',
    fix: 'Wait for `Retry-After` seconds; see [rate limits](rate-limits.md#mail).',
  },
  METHOD_NOT_ALLOWED: {
    exit: 'refused',
    description: 'The OAuth endpoint accepts another method; `Allow` names it.',
    cause:
      'An OAuth endpoint was called with another method: `/oauth/authorize` accepts GET, the other endpoints POST.',
    fix: 'Use the method that `Allow` names.',
  },
  PAYLOAD_TOO_LARGE: {
    exit: 'refused',
    description: 'The body is larger than the operation accepts.',
    cause: 'The body is larger than 256 KiB; at the OAuth endpoints, larger than 16 KiB.',
    fix: 'Send a smaller body.',
  },
  SERVICE_UNAVAILABLE: {
    exit: 'server',
    description: 'The server is starting, stopping or overloaded; retry after `Retry-After` seconds.',
    cause: 'The server is starting, stopping or overloaded, or its database cannot be reached or changed.',
    fix: 'Retry after `Retry-After` seconds; if it fails again, report the request id.',
  },
  AUTHORIZATION_PENDING: {
    exit: 'refused',
    description: 'The developer has not answered yet; poll again.',
    cause: 'The developer has not answered the device login yet.',
    fix: 'Poll again after `interval` seconds.',
  },
  SLOW_DOWN: {
    exit: 'refused',
    description: 'Polled too soon; wait 5 seconds longer between two polls from now on.',
    cause: 'The client polled a device login too soon.',
    fix: 'Wait 5 seconds longer between two polls from now on.',
  },
  EXPIRED_TOKEN: {
    exit: 'refused',
    description: 'The login was not approved in time; start it again.',
    cause: 'The device login was not approved within 10 minutes.',
    fix: 'Start it again: `plat login`.',
  },
  ACCESS_DENIED: {
    exit: 'refused',
    description: 'The developer refused the login.',
    cause: 'The developer refused the device login.',
    fix: 'If that was a mistake, start it again: `plat login`.',
  },
  INVALID_REDIRECT_URI: {
    exit: 'refused',
    ...same('redirect_uri is not registered, or not byte-identical at authorize and token.'),
    fix: 'Register the URI: `plat apps update <app_id> --redirect-uris <uri>`; send the same bytes in both requests.',
  },
  INVALID_SCOPE: {
    exit: 'refused',
    ...same("The requested scope is not a subset of the app's declared scopes."),
    fix: 'Request fewer scopes, or declare them: `plat apps update <app_id> --scopes <scope>,…`.',
  },
};

/** Uses the description as the cause, when there is nothing to add. */
function same(description: string): { readonly description: string; readonly cause: string } {
  return { description, cause: description };
}
