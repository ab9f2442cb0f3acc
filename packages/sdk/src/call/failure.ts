import { ConnectionError } from '../errors/connection-errors.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { errorCode, type KnownSecrets, redactCause } from '../redact.ts';

/** Converts any error of an attempt to an error of the client, with `secret` redacted. */
export function toFailure(error: unknown, attempts: number, origin: string, secret: KnownSecrets): PlatformError {
  if (error instanceof InvalidResponseError && error.attempts === 0) {
    return new InvalidResponseError(error.code, error.status, error.message, { attempts });
  }
  if (error instanceof PlatformError) return error;
  const code = errorCode(error);
  const cause = redactCause(error, secret);
  const message = `No answer from ${origin}: ${code ?? cause.message}`;
  return new ConnectionError(message, { attempts, cause, retryable: !isPermanent(code) });
}

/** Returns true if a transport found an idle connection closed when it tried to use it. */
export function isStale(error: unknown): boolean {
  return error instanceof Error && 'staleConnection' in error && error.staleConnection === true;
}

/** Returns true if the error proves that no byte of the request was sent: no address, no connection, no TLS. */
export function wasNeverSent(error: unknown): boolean {
  // Several addresses were tried: each error must prove it.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverSent);
  if (typeof error !== 'object' || error === null) return false;
  if ('syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined) return /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code) || NOT_CONNECTED.has(code);
  return 'cause' in error && wasNeverSent(error.cause);
}

/** Codes of libraries that hide the system call. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Returns true for errors of TLS or of another protocol, which a retry cannot cure. */
function isPermanent(code: string | undefined): boolean {
  return code !== undefined && /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|HPE_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}
