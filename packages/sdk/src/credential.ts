import { isVisibleAscii } from './checks/visible-ascii.ts';
import type { ApiError } from './errors/api-error.ts';
import { PlatformError } from './errors/platform-error.ts';
import { CredentialError, InvalidArgumentError } from './errors/usage-errors.ts';
import { redactCause } from './redact.ts';

/**
 * A token for one request. An implementation of {@link Credential} may add properties to its tokens, for example a
 * generation.
 */
export interface BearerToken {
  /** The token, sent after `Bearer ` in the Authorization header. */
  readonly value: string;
}

/**
 * A credential that changes over time. The client calls `get` before each attempt. While the token is valid, `get`
 * should return it synchronously, without a promise.
 */
export interface Credential {
  /** Returns a token for the next request. */
  get(): BearerToken | Promise<BearerToken>;
  /**
   * Called when the service refused a token of `get` with 401. Returns true if `get` now has another token: the call is
   * then repeated once. `token` is the same object that `get` returned, so that a refusal of an old token can be
   * distinguished from a refusal of the current one.
   */
  refused?(token: BearerToken, error: ApiError): boolean | Promise<boolean>;
}

/** Credential of a client: a string, a function that returns it, or an object. */
export type CredentialSource = string | (() => string | Promise<string>) | Credential;

/**
 * Converts the three forms of a credential to one.
 * @param variable - environment variable that the argument falls back to
 * @throws {@link InvalidArgumentError} if a string cannot be a credential; the message does not repeat it
 */
export function toCredential(argument: string, source: unknown, variable: string): Credential {
  if (typeof source === 'string') {
    const token = { value: checkToken(argument, source) };
    return { get: () => token };
  }
  if (typeof source === 'function') return fromFunction(source as () => unknown);
  if (isCredential(source)) return source;
  throw new InvalidArgumentError(
    argument,
    `is required: a string, a function that returns one, or a Credential, here or as ${variable}`,
  );
}

/** @throws {@link CredentialError} for a value that must not be sent in a header */
export function checkBearer(token: unknown): asserts token is BearerToken {
  const value = typeof token === 'object' && token !== null && 'value' in token ? token.value : undefined;
  if (!isVisibleAscii(value)) {
    throw new CredentialError('The credential is not a string of visible ASCII characters (white space? undefined?)');
  }
}

/**
 * Converts an error of a credential function to an error of the client. Errors of the client are returned unchanged.
 */
export function credentialFailure(cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  return new CredentialError('The credential could not be loaded', { cause: redactCause(cause) });
}

function fromFunction(source: () => unknown): Credential {
  let last: BearerToken = { value: '' };
  const remember = (value: unknown): BearerToken => {
    if (value !== last.value) last = { value: typeof value === 'string' ? value : '' };
    return last;
  };
  return {
    get() {
      const given = source();
      return typeof given === 'string' ? remember(given) : Promise.resolve(given).then(remember);
    },
  };
}

function checkToken(argument: string, value: string): string {
  if (value === '') throw new InvalidArgumentError(argument, 'must not be empty');
  if (/\s/.test(value)) {
    throw new InvalidArgumentError(argument, 'contains white space or a line break; was it read from a file? Trim it');
  }
  if (!isVisibleAscii(value)) throw new InvalidArgumentError(argument, 'contains characters that are not ASCII');
  if (/^bearer\b/i.test(value)) throw new InvalidArgumentError(argument, 'must not start with the word Bearer');
  return value;
}

function isCredential(source: unknown): source is Credential {
  return typeof source === 'object' && source !== null && 'get' in source && typeof source.get === 'function';
}
