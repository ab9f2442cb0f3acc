import type { ErrorExplanation } from '@plat/contract/error-reference';
import type { LaunchTokenCode } from '@plat/launch-token';
import type * as Sdk from '@plat/sdk';
import type * as OAuth from '@plat/sdk/oauth';
import type { ConfigurationCode, ResolverCode, VerificationCode } from '@plat/webhooks';
import type { CONNECTION_ERRORS } from './own-errors.ts';

/** Cause and fix of an error that a library throws in the program of a user, as Markdown in one line. */
type LibraryError = Pick<ErrorExplanation, 'cause' | 'fix'>;

/** An error of the SDK, with the name of its class. */
interface SdkError extends LibraryError {
  readonly class: Exclude<keyof SdkErrorClasses, 'PlatformError' | 'ApiError'>;
}

type SdkErrorClasses = ErrorClassesOf<typeof Sdk> & ErrorClassesOf<typeof OAuth>;

type ErrorClassesOf<Entry> = {
  readonly [K in keyof Entry as Entry[K] extends abstract new (
    ...args: never
  ) => Sdk.PlatformError
    ? K
    : never]: Entry[K];
};

/** Codes that the SDK itself raises. `ApiError` has those of the API, and `plat` reports the others too. */
type SdkCode = Exclude<InstanceType<SdkErrorClasses[SdkError['class']]>['code'], keyof typeof CONNECTION_ERRORS>;

/** Errors of the SDK beside {@link CONNECTION_ERRORS}. Compiles only with every code. */
export const SDK_ERRORS = {
  ABORTED: {
    class: 'AbortedError',
    cause: 'The `signal` of the call was aborted; `cause` is its reason. The operation may have been performed.',
    fix: 'If your program did not abort it, look for a time-out in the signal. Repeat a POST with the same `idempotencyKey`.',
  },
  CREDENTIAL_UNAVAILABLE: {
    class: 'CredentialError',
    cause: 'The credential function or object of the client threw, or returned no credential. Nothing was sent.',
    fix: 'Read `cause`, and correct the function that supplies the credential.',
  },
  REAUTHORIZATION_REQUIRED: {
    class: 'ReauthorizationRequired',
    cause:
      'The grant has no working tokens; `reason` says why: `not_connected`, `refused`, `answer_lost` or `revoked`.',
    fix: 'Send the owner of the tenant through `authorizationUrl` again, under the same key.',
  },
  ACCESS_DENIED: {
    class: 'AuthorizationError',
    cause: 'The owner refused on the consent page: the redirect carried `error=access_denied`.',
    fix: 'Show this to the user; start the authorization again if they ask for it.',
  },
  AUTHORIZATION_FAILED: {
    class: 'AuthorizationError',
    cause: 'The redirect carried another `error` than `access_denied`; `error` has it.',
    fix: 'Correct the request: for `invalid_scope` request scopes that the app is registered with.',
  },
  STATE_MISMATCH: {
    class: 'CallbackError',
    cause: 'The callback has the `state` of another authorization: another browser, an old tab, or a forgery.',
    fix: 'Keep `pending` in the session of the browser, and start the authorization again.',
  },
  ISSUER_MISMATCH: {
    class: 'CallbackError',
    cause: 'The `iss` of the callback is another service, or the service has another name than `baseUrl`.',
    fix: 'Refuse the callback; or set `issuer` to the `issuer` of the metadata of the service.',
  },
  INVALID_CALLBACK: {
    class: 'CallbackError',
    cause: 'The callback has neither a code nor an error, or a parameter twice.',
    fix: 'Pass the whole callback URL or its query, and start the authorization again.',
  },
  OTHER_TENANT: {
    class: 'CallbackError',
    cause:
      'In `reconnect`, the owner consented for another tenant than that of the grant. The new tokens were revoked.',
    fix: 'Ask the owner to choose the tenant of the grant, or use `exchange` with another key.',
  },
  REFRESH_FAILED: {
    class: 'RefreshError',
    cause:
      'The access token could not be renewed now. `outcome` is `not_sent`, or `unknown` if the response was lost; `cause` is the reason.',
    fix: 'Call again later. The grant is kept, and the SDK decides when the refresh token may be presented again.',
  },
  GRANT_LOCKED: {
    class: 'GrantLockedError',
    cause: 'Another process held the lock of the grant for longer than `lockTimeout`; `holder` names it.',
    fix: 'Call again later. If the holder no longer runs, its lock expires by itself.',
  },
  GRANT_STORE_FAILED: {
    class: 'GrantStoreError',
    cause: 'The grant store failed, or its content cannot be read; `cause` is its error.',
    fix: 'Repair the store, and check that every process has the same `encryption`.',
  },
} as const satisfies Readonly<Record<SdkCode, SdkError>>;

/** Errors of `@plat/webhooks`. */
export const WEBHOOK_ERRORS = {
  BODY_NOT_RAW: {
    cause: 'A JSON parser ran before the verification.',
    fix: 'Verify first; in Express, put the route before `express.json()`, or use `express.raw()` on it; in NestJS, set `rawBody: true`.',
  },
  BODY_TOO_LARGE: {
    cause: 'The body is over `maxBodyBytes`.',
    fix: 'Raise it, if these are real events.',
  },
  SIGNATURE_MISSING: {
    cause: 'The request is not a delivery, or a proxy dropped the header.',
    fix: 'Let the proxy pass `X-Platform-*`.',
  },
  SIGNATURE_REPEATED: {
    cause: 'A proxy sent or joined the header twice.',
    fix: 'Let the proxy pass one.',
  },
  SIGNATURE_TOO_LONG: {
    cause: 'The header is over 4,096 characters. It is not from the platform.',
    fix: 'Find the sender; refuse it.',
  },
  SIGNATURE_MALFORMED: {
    cause: 'The value is of another header, or a part of the right one.',
    fix: 'Pass the whole value of `X-Platform-Signature`.',
  },
  TIMESTAMP_INVALID: {
    cause: '`t` is not whole Unix seconds.',
    fix: 'Sign with `Math.floor(Date.now() / 1000)`.',
  },
  TIMESTAMP_TOO_OLD: {
    cause: 'The delivery is more than 300 s late: a wrong clock, a queue before the verification, a replay.',
    fix: 'Verify on arrival, and synchronise the clock.',
  },
  TIMESTAMP_IN_FUTURE: {
    cause: 'A clock is wrong, or `t` has milliseconds.',
    fix: 'Synchronise the clock, and sign in seconds.',
  },
  SIGNATURE_MISMATCH: {
    cause: 'The secret is of another endpoint or has white space or quotes around it, or the body changed in transit.',
    fix: 'Read the hint of the error, which names the likely cause.',
  },
  BODY_NOT_UTF8: {
    cause: 'The body was signed with your secret, but is not strict UTF-8.',
    fix: 'Check the sender: it is not the platform.',
  },
  BODY_NOT_JSON: {
    cause: 'The body was signed with your secret, but is not JSON.',
    fix: 'Check the sender: it is not the platform.',
  },
  BODY_NOT_EVENT: {
    cause: 'The body was signed with your secret, but is not an event of the platform.',
    fix: 'Check the sender: it is not the platform.',
  },
  EVENT_HEADER_MISMATCH: {
    cause: '`X-Platform-Event` or `X-Platform-Event-Id` contradicts the signed body.',
    fix: 'Trust the body, and check the proxy.',
  },
  SECRET_NOT_FOUND: {
    cause: 'The resolver returned nothing for the tenant that the body names.',
    fix: 'Add the secret of the tenant, or let the tenant delete the endpoint.',
  },
  TENANT_MISMATCH: {
    cause: 'The secret of another tenant signed the event: a forgery, or two secrets mixed up in your database.',
    fix: 'Compare the secrets that you stored for both tenants; rotate one if you are unsure.',
  },
  SECRETS_MISSING: {
    cause: 'The verifier or signer has no signing secret.',
    fix: 'Pass `secrets`; the secret of an endpoint is shown once, when it is created or rotated.',
  },
  SECRET_INVALID: {
    cause: 'A signing secret is blank, or neither a string nor a secret `KeyObject`.',
    fix: 'Check the environment variable that it comes from.',
  },
  TOLERANCE_INVALID: {
    cause: 'The tolerance is not a number of seconds within its limits; milliseconds are a usual mistake.',
    fix: 'Pass seconds: 300 is the default.',
  },
  CLOCK_INVALID: {
    cause: '`now` is not a function that returns milliseconds.',
    fix: 'Pass a function such as `Date.now`.',
  },
  TIMESTAMP_NOT_SECONDS: {
    cause: 'The `timestamp` to sign with is not a whole number of Unix seconds.',
    fix: 'Pass `Math.floor(Date.now() / 1000)`.',
  },
  BODY_INVALID: {
    cause: 'The body to sign is neither a string nor a `Uint8Array`.',
    fix: 'Sign the bytes that you send: `JSON.stringify` once, then sign and send the same text.',
  },
  OPTION_INVALID: {
    cause: 'An option of a verifier, adapter or dedupe helper is unknown or has a wrong value; the message names it.',
    fix: 'Correct the option.',
  },
  RESOLVER_ASYNC: {
    cause: '`verifySync` was called, and the secrets resolver returned a promise.',
    fix: 'Use `verify`.',
  },
  RUNTIME_UNSUPPORTED: {
    cause: 'The entry of the package needs Node.js, and the program runs in a worker or a browser.',
    fix: 'Import from `@plat/webhooks/web`.',
  },
  RESOLVER_FAILED: {
    cause: 'The secrets resolver threw or rejected, so the delivery was not checked; `cause` is its error.',
    fix: 'Answer with 500, which lets the platform send the delivery again, and repair the resolver.',
  },
} as const satisfies Readonly<Record<VerificationCode | ConfigurationCode | ResolverCode, LibraryError>>;

/** Another program made the token. */
const FOREIGN = {
  cause: 'The token is of another issuer, or a forgery.',
  fix: 'Refuse it, and check which program sent it.',
} as const;

const NOT_A_LAUNCH = {
  cause: 'The platform signed the token, but it is not a launch token.',
  fix: 'Check that the sender posts a launch token and no other token.',
} as const;

/** Errors of `@plat/launch-token`. */
export const LAUNCH_TOKEN_ERRORS = {
  TOKEN_MISSING: {
    cause: 'The request is no form post, the field has another name, or a parser discarded the body.',
    fix: 'Read the field `launch_token` of the form that the platform posts.',
  },
  TOKEN_REPEATED: { cause: 'The field is present twice.', fix: 'Refuse it: the platform posts one token.' },
  TOKEN_TOO_LARGE: { cause: 'The text is not a launch token.', fix: 'Pass the value of the field as it arrived.' },
  TOKEN_MALFORMED: {
    cause: 'The text is not a launch token, or a part of one.',
    fix: 'Pass the whole value of the field as it arrived.',
  },
  HEADER_INVALID: FOREIGN,
  HEADER_NOT_ALLOWED: FOREIGN,
  ALGORITHM_NOT_ALLOWED: FOREIGN,
  TYPE_NOT_ALLOWED: FOREIGN,
  KID_MISSING: FOREIGN,
  KEY_UNKNOWN: {
    cause: 'The token is of another environment, or `issuer` or `jwksUri` is.',
    fix: 'Set `issuer` and `jwksUri` to those of the platform that launches the module.',
  },
  SIGNATURE_INVALID: {
    cause: 'The token was changed in transit, or is a forgery.',
    fix: 'Pass the value of the field as it arrived; refuse it otherwise.',
  },
  PAYLOAD_INVALID: NOT_A_LAUNCH,
  CLAIM_INVALID: NOT_A_LAUNCH,
  ISSUER_MISMATCH: {
    cause: 'The configured `issuer` differs from that of the platform: a trailing slash counts.',
    fix: 'Set it to the `issuer` of the platform, character by character.',
  },
  AUDIENCE_MISMATCH: {
    cause:
      'The configured `audience` differs from the one that the module is registered with: a trailing slash counts.',
    fix: 'Set it to the registered one, character by character.',
  },
  LIFETIME_INVALID: {
    cause: 'The times of the token do not follow the rules of the platform.',
    fix: 'Check which program issued the token.',
  },
  TOKEN_NOT_YET_VALID: {
    cause: 'A clock is wrong.',
    fix: 'Synchronise the clock of the receiver; `leeway` allows a small difference.',
  },
  TOKEN_EXPIRED: {
    cause: 'The page was reloaded, the token was replayed, or a clock is wrong.',
    fix: 'Start the module again from the platform; synchronise the clock.',
  },
  NOT_ENTITLED: {
    cause: 'The plan of the tenant, the client or the role of the user lacks the capability.',
    fix: 'Give the user a role with the capability, or the tenant a plan with it.',
  },
  BODY_TOO_LARGE: { cause: 'The form is over `maxBodyBytes`.', fix: 'Refuse it: a launch is far smaller.' },
  KEYS_UNAVAILABLE: {
    cause: 'The key set cannot be fetched; `cause` has the reason. Or `verifySync` was called without `hydrate()`.',
    fix: 'Check `jwksUri` and the network; call `hydrate()` at the start.',
  },
  TOKEN_REPLAYED: {
    cause: 'With `once`: the page was reloaded, the form was sent twice, or the token was replayed.',
    fix: 'Start the module again from the platform.',
  },
  JTI_MISSING: {
    cause: 'With `once`: the platform issues tokens without an id.',
    fix: 'Update the platform, or omit `once`.',
  },
  GUARD_UNAVAILABLE: {
    cause: 'With `once`: the store fails; `cause` has the reason.',
    fix: 'Repair the store. Launches are refused until then.',
  },
  OPTION_INVALID: {
    cause: 'An option of the verifier, adapter or `once` guard is unknown or has a wrong value; the message names it.',
    fix: 'Correct the option.',
  },
} as const satisfies Readonly<Record<LaunchTokenCode, LibraryError>>;
