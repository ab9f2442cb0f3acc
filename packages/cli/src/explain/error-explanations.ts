import type { ErrorCode } from '@plat/contract';

/** Why a code comes, and what to do about it. */
export interface Explanation {
  readonly cause: string;
  readonly fix: string;
}

/**
 * Error code → its row in docs/errors.md, word for word: a test holds the page against this table. The compiler asks for
 * every code.
 */
export const ERROR_EXPLANATIONS: Readonly<Record<ErrorCode, Explanation>> = {
  INVALID_REQUEST: {
    cause:
      'A query parameter is unknown or has a wrong value, both cursors are given, the `Idempotency-Key` is malformed, or the path cannot be decoded.',
    fix: 'Correct what `errors` names.',
  },
  INVALID_CURSOR: {
    cause: "`starting_after` or `ending_before` is not an id of this list's kind.",
    fix: 'Take the id of an item from an earlier page of the same list.',
  },
  INVALID_BODY: {
    cause:
      'The body is empty, not JSON in UTF-8, not an object, not sent as `application/json`, has unknown, missing or wrong fields, a field twice, or more than 500 fields.',
    fix: 'Correct what `errors` names.',
  },
  INVALID_TOKEN: {
    cause:
      'No credential, more than one, one in the query or in a form, or one that is malformed, unknown or was replaced.',
    fix: 'Send `Authorization: Bearer <key>`. In the sandbox, take the key from `.plat/sandbox.json`.',
  },
  UNAUTHORIZED: { cause: 'A route outside `/v1` needs a signed-in session.', fix: 'Sign in.' },
  INSUFFICIENT_SCOPE: {
    cause: 'The key is valid but lacks the scope that the message names. Write does not include read.',
    fix: 'Use a key with that scope; `GET /v1/me` shows what a key has.',
  },
  FORBIDDEN: {
    cause: 'Legacy 403 of routes outside `/v1`; a synonym of `INSUFFICIENT_SCOPE`.',
    fix: 'Use a credential that may do it.',
  },
  VENDOR_KEY_NOT_ALLOWED_ON_V1: {
    cause: 'A legacy vendor key, which belongs to no tenant.',
    fix: 'Use the API key of a tenant.',
  },
  APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT: {
    cause: 'An unverified OAuth app asked for a tenant that is not a sandbox.',
    fix: 'Have the app reviewed.',
  },
  NOT_FOUND: {
    cause: 'No such path or method. Paths are case-sensitive and have no slash at the end.',
    fix: 'Check method, path and base URL (which ends before `/v1`).',
  },
  CONFLICT: {
    cause: 'The class of all collisions. No operation answers with it itself today.',
    fix: 'Read the object again and decide anew.',
  },
  UNPROCESSABLE: {
    cause: 'A business rule without a code of its own.',
    fix: 'Read the message; the request itself is well-formed.',
  },
  RATE_LIMITED: {
    cause:
      'The requests of this credential, or of this network without a credential, are used up, or the changes of this sandbox.',
    fix: 'Wait for `Retry-After` seconds; see [rate limits](rate-limits.md).',
  },
  INVALID_GRANT: {
    cause: "The authorization code or refresh token is unknown, another app's, expired, used before or revoked.",
    fix: 'Send the owner to `/oauth/authorize` again.',
  },
  INVALID_CLIENT_SECRET: {
    cause: 'The client secret at an OAuth endpoint does not match.',
    fix: 'Use the current secret.',
  },
  INVALID_PKCE: {
    cause: 'The code verifier does not hash to the code challenge.',
    fix: 'Send the verifier of this very authorization.',
  },
  INTERNAL_ERROR: {
    cause: 'A fault of the server. The log has it under the request id.',
    fix: 'Retry once after a pause, with the same `Idempotency-Key` if it is a POST; then report the request id.',
  },
  CLIENT_NOT_FOUND: {
    cause: 'The client does not exist in the tenant, was deleted, or the id is malformed.',
    fix: "Check the id, and that the key is the right tenant's.",
  },
  GROUP_NOT_FOUND: {
    cause: 'The group does not exist in the tenant, was deleted, or the id is malformed.',
    fix: "Check the id, and that the key is the right tenant's.",
  },
  GROUP_MEMBER_NOT_FOUND: { cause: 'The client is not a member of the group.', fix: 'List the members.' },
  GROUP_OWNER_NOT_FOUND: { cause: 'The user is not an owner of the group.', fix: 'List the owners.' },
  USER_NOT_FOUND: {
    cause: 'The user does not exist in the tenant, or the id is malformed.',
    fix: "Check the id, and that the key is the right tenant's.",
  },
  LOCATION_NOT_FOUND: {
    cause: 'The location does not exist under this client or group.',
    fix: 'Check both ids of the path.',
  },
  ROLE_NOT_FOUND: { cause: 'The role does not exist in the tenant, or the id is malformed.', fix: 'Check the id.' },
  INVOICE_NOT_FOUND: {
    cause: 'The invoice does not exist in the tenant, or the id is malformed.',
    fix: 'Check the id.',
  },
  AUDIT_EVENT_NOT_FOUND: {
    cause: 'The audit event does not exist in the tenant, or the id is malformed.',
    fix: 'Check the id.',
  },
  REQUEST_NOT_FOUND: {
    cause:
      'The request log of the tenant has no such request: it had no valid credential, it succeeded where only failures are kept, it is of another tenant, or too old.',
    fix: 'List the requests. What had no valid credential is in the log of the server, by the same id.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    cause: 'The endpoint does not exist in the tenant, or was deleted.',
    fix: 'List the endpoints.',
  },
  WEBHOOK_EVENT_NOT_FOUND: {
    cause: 'The event does not exist in the tenant. Events are promised for 30 days.',
    fix: 'List the events.',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    cause: 'The delivery attempt does not exist in the tenant.',
    fix: 'List the deliveries.',
  },
  WEBHOOK_REPLAY_NOT_FOUND: {
    cause: 'The replay does not exist in the tenant, or was created more than 30 days ago and has ended.',
    fix: 'List the replays.',
  },
  APP_NOT_FOUND: { cause: 'The OAuth app does not exist in the developer account.', fix: 'List the apps.' },
  CONSENT_NOT_FOUND: {
    cause: 'The tenant has no such consent, or it ended more than 30 days ago.',
    fix: 'List the consents.',
  },
  API_KEY_NOT_FOUND: { cause: 'The sandbox has no API key.', fix: 'Mint one: `plat keys mint`.' },
  DEVELOPER_TOKEN_NOT_FOUND: {
    cause: 'The account has no such login, or it was ended.',
    fix: 'List the logins: `GET /developer/v1/tokens`.',
  },
  MODULE_NOT_FOUND: { cause: 'The catalog has no module of this slug.', fix: 'List them: `GET /v1/modules/catalog`.' },
  SLUG_IN_USE: {
    cause: 'Another client (or for a group, another group) of the tenant has this slug.',
    fix: 'Choose another, or leave it out: one is made from the name.',
  },
  DOMAIN_IN_USE: {
    cause: 'A client has this domain: of any production tenant or, in a sandbox, of that sandbox.',
    fix: 'Choose another. When the domain is yours, ask the platform to release it.',
  },
  EMAIL_IN_USE: {
    cause: 'Another user of the tenant has this address, whatever its case.',
    fix: 'Change that user instead.',
  },
  ALREADY_MEMBER: { cause: 'The client is a member of the group already.', fix: 'Nothing is to be done.' },
  ALREADY_OWNER: { cause: 'The user owns the group already, or is invited to.', fix: 'Nothing is to be done.' },
  ROLE_NAME_IN_USE: {
    cause: 'The tenant has a role with this name already; the built-in names are taken.',
    fix: 'Choose another name, or change that role.',
  },
  WEBHOOK_URL_IN_USE: {
    cause: 'The tenant has an endpoint with this URL, perhaps in another spelling.',
    fix: 'Change that endpoint, or delete it.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The key was used with another path, query or body within 24 hours.',
    fix: 'Take a new key for each operation; see [idempotency](idempotency.md).',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    cause: 'The first request with this key is still running.',
    fix: 'Wait for `Retry-After` seconds and send it again, unchanged.',
  },
  LAST_LOCATION_PROTECTED: { cause: 'The only location cannot be deleted.', fix: 'Create another one first.' },
  DEFAULT_LOCATION_PROTECTED: {
    cause: 'The default location cannot be deleted or cleared.',
    fix: 'Make another one the default first.',
  },
  LOCATION_IN_USE: { cause: 'Users are assigned to the location.', fix: 'Assign them elsewhere first.' },
  LAST_OWNER_PROTECTED: {
    cause: 'The last active owner can be neither deactivated nor demoted.',
    fix: 'Make another user an owner first.',
  },
  USER_NOT_DELETABLE: { cause: 'Only an invited user can be withdrawn.', fix: 'Deactivate the user.' },
  USER_NOT_INVITED: {
    cause: 'The invitation was accepted, or the user was deactivated: there is nothing to send again.',
    fix: "Look at the user's `status`.",
  },
  ROLE_BUILT_IN: { cause: 'Built-in roles cannot be changed.', fix: 'Create a role of your own.' },
  WEBHOOK_ENDPOINT_LIMIT: {
    cause: 'The tenant has as many webhook endpoints as its quota allows: 50, in a sandbox 10.',
    fix: 'Delete one that is not needed.',
  },
  APP_LIMIT: {
    cause: 'The developer account has as many OAuth apps as its quota allows, 50 by default.',
    fix: 'Delete one that is not needed.',
  },
  MODULE_NOT_LAUNCHABLE: {
    cause: 'The module has no launch URL, or no audience.',
    fix: 'Ask the platform; `plat-server catalog apply` gives it both.',
  },
  APP_NAME_PROTECTED: {
    cause: 'Name and website of a verified app are what was reviewed.',
    fix: 'Register another app, and have it reviewed.',
  },
  APP_DISABLED: {
    cause: 'The OAuth app was disabled, by its developer or by the platform. All its consents ended with that.',
    fix: '`plat apps enable` if its developer disabled it, else ask the platform; then tenants consent again.',
  },
  TENANT_SUSPENDED: {
    cause: 'The tenant is suspended.',
    fix: 'Ask the platform; everything comes back with the reactivation.',
  },
  WORK_LEFT: {
    cause: 'Development mode: work was still due or under way when the time to wait for it was over.',
    fix: 'Look at what the message counts; a receiver that hangs takes ten seconds for each attempt. Give it longer with `timeout_ms`.',
  },
  DEV_TOOLS_REFUSED: {
    cause: 'Development mode: a server in production has used this database, so `/_dev` is closed.',
    fix: 'Start the development mode with a database of its own.',
  },
  OAUTH_CANNOT_MANAGE_OWNERS: {
    cause: 'The credential is an OAuth token, and the call creates, invites or changes a user with the role `owner`.',
    fix: 'Make the change with the API key of the tenant.',
  },
  QUOTA_EXCEEDED: {
    cause: 'The tenant has as many objects of this kind as its quota allows. Sandboxes have smaller quotas.',
    fix: 'Delete objects that you no longer need, or ask the platform for a higher quota.',
  },
  MAIL_LIMIT_REACHED: {
    cause:
      'Too many mails went to this address, about this tenant or for this network. Nothing was changed, and no mail was sent.',
    fix: 'Wait for `Retry-After` seconds; see [rate limits](rate-limits.md#mail).',
  },
  METHOD_NOT_ALLOWED: { cause: 'The OAuth endpoint takes POST only.', fix: 'Use the method that `Allow` names.' },
  PAYLOAD_TOO_LARGE: { cause: 'The body is over 256 KiB; at the OAuth endpoints 16 KiB.', fix: 'Send less.' },
  SERVICE_UNAVAILABLE: {
    cause: 'The database cannot be reached, or (at `/readyz`) the server is starting or stopping.',
    fix: 'Retry after `Retry-After` seconds.',
  },
  AUTHORIZATION_PENDING: {
    cause: 'A device login that nobody has answered yet.',
    fix: 'Poll again after `interval` seconds.',
  },
  SLOW_DOWN: {
    cause: 'A device login was polled too soon.',
    fix: 'Wait 5 seconds longer between two polls from now on.',
  },
  EXPIRED_TOKEN: { cause: 'Nobody approved the device login within 10 minutes.', fix: 'Begin it anew: `plat login`.' },
  ACCESS_DENIED: { cause: 'The developer refused the device login.', fix: 'Begin it anew if that was a mistake.' },
  INVALID_REDIRECT_URI: {
    cause: 'redirect_uri is not registered, or not byte-identical at authorize and token.',
    fix: 'Register it.',
  },
  INVALID_SCOPE: { cause: 'The scope asked for is not among those the app declared.', fix: 'Declare it.' },
};
