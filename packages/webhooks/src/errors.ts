/**
 * Reasons for the refusal of a delivery: a stable code for each, with its sentence. Append-only. The sentences contain
 * nothing of the request or of a secret, so an adapter may send them to the caller.
 */
export const VERIFICATION_CODES = {
  BODY_NOT_RAW: 'The raw request body is needed: the bytes as they arrived, before anything parsed them.',
  BODY_TOO_LARGE: 'The request body is larger than this receiver accepts.',
  SIGNATURE_MISSING: 'The request carries no X-Platform-Signature header.',
  SIGNATURE_REPEATED: 'The signature header, or its t, was sent more than once.',
  SIGNATURE_TOO_LONG: 'The signature header is longer than 4096 characters.',
  SIGNATURE_MALFORMED: 'The signature header is not of the form t=<unix-seconds>,v1=<64 hex digits>.',
  TIMESTAMP_INVALID: 't in the signature header is not a canonical decimal number of seconds.',
  TIMESTAMP_TOO_OLD: 'The delivery was signed longer ago than the tolerance allows.',
  TIMESTAMP_IN_FUTURE: 'The delivery was signed further in the future than the tolerance allows.',
  SIGNATURE_MISMATCH: 'No v1 signature matches the body under any of the secrets.',
  BODY_NOT_UTF8: 'The body is not strict UTF-8 without a byte order mark.',
  BODY_NOT_JSON: 'The body is not JSON.',
  BODY_NOT_EVENT: 'The body is not an event object.',
  EVENT_HEADER_MISMATCH: 'X-Platform-Event or X-Platform-Event-Id contradicts the signed body.',
  SECRET_NOT_FOUND: 'This receiver has no signing secret for the tenant that the body names.',
  TENANT_MISMATCH: 'The secret that signed the delivery belongs to another tenant than the body names.',
} as const;

/** Code of a {@link WebhookVerificationError}. */
export type VerificationCode = keyof typeof VERIFICATION_CODES;

/** Code of a {@link WebhookConfigurationError}. */
export type ConfigurationCode =
  | 'SECRETS_MISSING'
  | 'SECRET_INVALID'
  | 'TOLERANCE_INVALID'
  | 'CLOCK_INVALID'
  | 'TIMESTAMP_NOT_SECONDS'
  | 'BODY_INVALID'
  | 'OPTION_INVALID'
  | 'RESOLVER_ASYNC'
  | 'RUNTIME_UNSUPPORTED';

/** Code of a {@link WebhookResolverError}. */
export type ResolverCode = 'RESOLVER_FAILED';

/** Base class of all errors of this package. The `code` is stable; the `message` may change. */
export abstract class WebhookError extends Error {
  /** Stable error code. */
  abstract readonly code: VerificationCode | ConfigurationCode | ResolverCode;
}

/**
 * Thrown for a delivery that must not be trusted. `code` names the reason, `hint` the likely cause and its fix.
 *
 * The hint is for the log of the receiver. It may describe how the secret is configured (never its characters), so do
 * not send it to the caller. `VERIFICATION_CODES[error.code]` is the sentence that may be sent.
 */
export class WebhookVerificationError extends WebhookError {
  /** Always `WebhookVerificationError`. */
  override readonly name = 'WebhookVerificationError';
  /** Reason for the refusal. */
  readonly code: VerificationCode;
  /** The likely cause and its fix. It never contains a secret. */
  readonly hint: string;

  constructor(code: VerificationCode, hint: string) {
    super(`${VERIFICATION_CODES[code]} ${hint}`);
    this.code = code;
    this.hint = hint;
  }

  /** Returns the fields for a structured log. */
  toJSON(): { name: string; code: VerificationCode; message: string; hint: string } {
    return { name: this.name, code: this.code, message: this.message, hint: this.hint };
  }
}

/**
 * Thrown for a wrong configuration of a signer, verifier, dedupe helper or adapter. The program is at fault, not the
 * request.
 */
export class WebhookConfigurationError extends WebhookError {
  /** Always `WebhookConfigurationError`. */
  override readonly name = 'WebhookConfigurationError';
  /** The mistake in the options. */
  readonly code: ConfigurationCode;

  constructor(code: ConfigurationCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Thrown if the secrets resolver threw or rejected, so that the delivery could not be checked. `cause` is its error.
 * Respond with 500: the platform sends the delivery again.
 */
export class WebhookResolverError extends WebhookError {
  /** Always `WebhookResolverError`. */
  override readonly name = 'WebhookResolverError';
  /** Reason why no secret was found. */
  readonly code: ResolverCode;

  constructor(code: ResolverCode, message: string, options: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
