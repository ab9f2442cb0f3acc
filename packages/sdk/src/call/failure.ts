import { ConnectionError } from '../errors/connection-errors.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { errorCode, type KnownSecrets, redactCause } from '../redact.ts';

/** Any error of an attempt as one of the client's own, without `secret`. */
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

/** Whether a transport found an idle connection closed when it wanted to use it. */
export function isStale(error: unknown): boolean {
  return error instanceof Error && 'staleConnection' in error && error.staleConnection === true;
}

/** Whether an error of a transport says that no byte of the request can have left: no address, no connection, no TLS. */
export function wasNeverSent(error: unknown): boolean {
  // Several addresses were tried: each of them has to say so.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverSent);
  if (typeof error !== 'object' || error === null) return false;
  if ('syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined) return /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code) || NOT_CONNECTED.has(code);
  return 'cause' in error && wasNeverSent(error.cause);
}

/** What libraries say that hide the system call. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Errors of TLS and of speaking another protocol: the next try would end the same. */
function isPermanent(code: string | undefined): boolean {
  return code !== undefined && /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|HPE_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}
