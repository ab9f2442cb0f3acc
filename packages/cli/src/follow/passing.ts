import { ApiError, CredentialError, InvalidArgumentError, InvalidResponseError, PlatformError } from '@plat/sdk';

/**
 * Whether a failure may pass by itself. A key that is refused does not; anything else may once the server was reached:
 * what answers for a while during a deployment can be anything.
 */
export function isPassing(error: unknown, wasReached: boolean): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  if (error instanceof CredentialError || error instanceof InvalidArgumentError) return false;
  if (error instanceof ApiError) {
    // The tenant may be reactivated; it is not the key that is refused.
    if (error.code === 'TENANT_SUSPENDED') return true;
    if (error.status === 401 || error.status === 403) return false;
  }
  return wasReached || error.retryable;
}

/** How long the service asks to be left alone, in ms. */
export function retryAfterOf(error: PlatformError): number {
  const asked = error instanceof ApiError || error instanceof InvalidResponseError ? error.retryAfter : null;
  return (asked ?? 0) * 1000;
}
