import { PlatformError, type PlatformErrorDetails } from './platform-error.ts';

/** An argument or option is wrong; nothing was sent. */
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

/** The credential function or object gave no usable credential; nothing was sent with it. `cause` says why. */
export class CredentialError extends PlatformError {
  /** Always `CredentialError`. */
  override readonly name = 'CredentialError';
  readonly code = 'CREDENTIAL_UNAVAILABLE';
}

/** A list makes no progress: the same page again, or empty pages with `has_more` one after the other. */
export class ListStalledError extends PlatformError {
  /** Always `ListStalledError`. */
  override readonly name = 'ListStalledError';
  readonly code = 'LIST_STALLED';
}
