import type { ApiError } from './errors/api-error.ts';
import { PlatformError } from './errors/platform-error.ts';
import { CredentialError, InvalidArgumentError } from './errors/usage-errors.ts';
import { redactCause } from './redact.ts';

/** A credential of one moment. An implementation of {@link Credential} may hang more on its own (a generation). */
export interface BearerToken {
  /** What stands behind `Bearer ` in the Authorization header. */
  readonly value: string;
}

/**
 * A credential that changes over time. The client asks for it before each attempt, so `get` should answer at once,
 * without a promise, while what it has is good.
 */
export interface Credential {
  /** Returns a token for the next request. */
  get(): BearerToken | Promise<BearerToken>;
  /**
   * The service refused a token that `get` gave, with 401. True: `get` has another one now, and the call is sent
   * again (once). The token is the very object that was used, so a refusal of an old one can be told from a
   * refusal of the current one.
   */
  refused?(token: BearerToken, error: ApiError): boolean | Promise<boolean>;
}

/** What a client takes as its credential: the text itself, a function that gives it, or an object. */
export type CredentialSource = string | (() => string | Promise<string>) | Credential;

/**
 * One form for all three.
 * @throws {@link InvalidArgumentError} when a string can be no credential; the message does not repeat it
 */
export function toCredential(argument: string, source: unknown): Credential {
  if (typeof source === 'string') {
    const token = { value: checkToken(argument, source) };
    return { get: () => token };
  }
  if (typeof source === 'function') return fromFunction(source as () => unknown);
  if (isCredential(source)) return source;
  throw new InvalidArgumentError(argument, 'is required: a string, a function that gives one, or a Credential');
}

/** @throws {@link CredentialError} for anything that must not become a header */
export function checkBearer(token: unknown): asserts token is BearerToken {
  const value = typeof token === 'object' && token !== null && 'value' in token ? token.value : undefined;
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new CredentialError('The credential is not a string of visible ASCII characters (white space? undefined?)');
  }
}

/** What a credential function threw, as an error of the client: its own pass as they are. */
export function credentialFailure(cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  return new CredentialError('The credential could not be had', { cause: redactCause(cause) });
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
    throw new InvalidArgumentError(argument, 'holds white space or a line break; was it read from a file? Trim it');
  }
  if (!/^[\x21-\x7e]+$/.test(value)) throw new InvalidArgumentError(argument, 'holds characters that are not ASCII');
  if (/^bearer\b/i.test(value)) throw new InvalidArgumentError(argument, 'comes without the word Bearer');
  return value;
}

function isCredential(source: unknown): source is Credential {
  return typeof source === 'object' && source !== null && 'get' in source && typeof source.get === 'function';
}
