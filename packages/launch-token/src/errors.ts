/** One row of {@link LAUNCH_TOKEN_CODES}. */
export interface LaunchTokenCodeInfo {
  /** HTTP status of the response of a receiver. */
  readonly status: 401 | 403 | 413 | 500 | 503;
  /** The reason in one sentence. It contains nothing of the token, so it may be sent to the caller. */
  readonly sentence: string;
}

/** Reasons for the refusal of a launch, with a stable code for each. Append-only. */
export const LAUNCH_TOKEN_CODES = {
  TOKEN_MISSING: row(401, 'No launch token was sent.'),
  TOKEN_REPEATED: row(401, 'More than one launch token was sent.'),
  TOKEN_TOO_LARGE: row(401, 'The launch token is larger than 16 KiB.'),
  TOKEN_MALFORMED: row(401, 'The launch token is not three parts of canonical base64url.'),
  HEADER_INVALID: row(401, "The launch token's header is not a strict JSON object."),
  HEADER_NOT_ALLOWED: row(401, "The launch token's header has a parameter that is never accepted."),
  ALGORITHM_NOT_ALLOWED: row(401, 'The launch token is not signed with RS256.'),
  TYPE_NOT_ALLOWED: row(401, 'The token is of another type than JWT.'),
  KID_MISSING: row(401, 'The launch token names no key.'),
  KEY_UNKNOWN: row(401, 'The launch token names a key that the platform does not publish.'),
  SIGNATURE_INVALID: row(401, "The launch token's signature does not match."),
  PAYLOAD_INVALID: row(401, "The launch token's payload is not a strict JSON object."),
  CLAIM_INVALID: row(401, 'A claim of the launch token is missing or of the wrong type.'),
  ISSUER_MISMATCH: row(401, 'The launch token was issued by another issuer.'),
  AUDIENCE_MISMATCH: row(401, 'The launch token is for another audience.'),
  LIFETIME_INVALID: row(401, 'The launch token expires before it was issued, or is valid for more than an hour.'),
  TOKEN_NOT_YET_VALID: row(401, 'The launch token is not valid yet.'),
  TOKEN_EXPIRED: row(401, 'The launch token has expired.'),
  NOT_ENTITLED: row(403, 'The launch token lacks the required capability.'),
  BODY_TOO_LARGE: row(413, 'The request body is larger than the receiver accepts.'),
  KEYS_UNAVAILABLE: row(503, "The platform's keys are unavailable at the moment."),
  TOKEN_REPLAYED: row(401, 'The launch token was used before.'),
  JTI_MISSING: row(401, 'The launch token has no jti, which the receiver requires to accept each token once.'),
  GUARD_UNAVAILABLE: row(503, 'The receiver cannot check at the moment whether the launch token was used before.'),
  OPTION_INVALID: row(500, 'The receiver of launch tokens is not configured correctly.'),
} as const satisfies Record<string, LaunchTokenCodeInfo>;

/** Code of a {@link LaunchTokenError}. */
export type LaunchTokenCode = keyof typeof LAUNCH_TOKEN_CODES;

/**
 * The only error class of this package. `code` is stable, and `status` is the HTTP status for the response. `message`
 * is for people and may change. No property or printed form contains a part of the token.
 *
 * The hint is for the log of the receiver, because it may describe the configuration of the verifier.
 * `LAUNCH_TOKEN_CODES[error.code].sentence` is the sentence that may be sent to the caller.
 */
export class LaunchTokenError extends Error {
  /** Always `LaunchTokenError`. */
  override readonly name = 'LaunchTokenError';
  /** Reason for the refusal. */
  readonly code: LaunchTokenCode;
  /** HTTP status for the response to the browser. */
  readonly status: LaunchTokenCodeInfo['status'];
  /** The likely cause or its fix; empty if the sentence is sufficient. */
  readonly hint: string;

  constructor(code: LaunchTokenCode, hint = '', options?: { readonly cause: unknown }) {
    const { status, sentence } = LAUNCH_TOKEN_CODES[code];
    super(hint === '' ? sentence : `${sentence} ${hint}`, options);
    this.code = code;
    this.status = status;
    this.hint = hint;
  }

  /** Returns the fields for a structured log. */
  toJSON(): { name: string; code: LaunchTokenCode; status: number; message: string; hint: string } {
    const { name, code, status, message, hint } = this;
    return { name, code, status, message, hint };
  }
}

function row<const S extends LaunchTokenCodeInfo['status']>(
  status: S,
  sentence: string,
): { readonly status: S; readonly sentence: string } {
  return { status, sentence };
}
