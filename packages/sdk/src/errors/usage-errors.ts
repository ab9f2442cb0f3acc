import { PlatformError, type PlatformErrorDetails } from './platform-error.ts';

/** Thrown for an invalid argument or option. Nothing was sent. */
export class InvalidArgumentError extends PlatformError {
  /** Always `InvalidArgumentError`. */
  override readonly name = 'InvalidArgumentError';
  readonly code = 'INVALID_ARGUMENT';
  /** Name of the argument or option. */
  readonly argument: string;

  constructor(argument: string, message: string, details?: PlatformErrorDetails) {
    super(`${argument}: ${message}`, details);
    this.argument = argument;
  }
}

/**
 * Thrown if the credential function or object returned no usable credential. Nothing was sent. `cause` is the reason.
 */
export class CredentialError extends PlatformError {
  /** Always `CredentialError`. */
  override readonly name = 'CredentialError';
  readonly code = 'CREDENTIAL_UNAVAILABLE';
}

/**
 * Thrown if a list makes no progress: it returns the same page again, or many consecutive empty pages with `has_more`.
 */
export class ListStalledError extends PlatformError {
  /** Always `ListStalledError`. */
  override readonly name = 'ListStalledError';
  readonly code = 'LIST_STALLED';
}
