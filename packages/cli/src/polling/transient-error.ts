import { ApiError, CredentialError, InvalidArgumentError, InvalidResponseError, PlatformError } from '@plat/sdk';

/**
 * Returns whether an error may be transient. A refused key and a deleted app are not. After the first success any other
 * error is, since a deployment can answer with anything.
 */
export function isTransient(error: unknown, wasReached: boolean): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  if (error instanceof CredentialError || error instanceof InvalidArgumentError) return false;
  if (error instanceof ApiError) {
    // A suspended tenant may be reactivated; the key itself is valid.
    if (error.code === 'TENANT_SUSPENDED') return true;
    // An app is not found after its deletion.
    if (error.status === 401 || error.status === 403 || error.code === 'APP_NOT_FOUND') return false;
  }
  return wasReached || error.retryable;
}

/** Returns the requested retry delay in milliseconds. */
export function retryAfterOf(error: PlatformError): number {
  const asked = error instanceof ApiError || error instanceof InvalidResponseError ? error.retryAfter : null;
  return (asked ?? 0) * 1000;
}
