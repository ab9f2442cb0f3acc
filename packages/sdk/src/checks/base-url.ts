import { VARIABLES } from '../environment.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** The parts of a checked base URL. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path before `/v1`, without a trailing slash; usually empty. */
  readonly prefix: string;
}

/**
 * Checks a base URL.
 * @throws {@link InvalidArgumentError} unless it is an absolute http or https URL without user info, query and fragment
 */
export function parseBaseUrl(value: unknown): BaseUrl {
  if (value === undefined || value === null || value === '') {
    throw refuse(`is required, for example http://127.0.0.1:4010, here or as ${VARIABLES.baseUrl}`);
  }
  if (typeof value !== 'string') throw refuse('must be a string, for example http://127.0.0.1:4010');
  if (!/^https?:\/\//i.test(value)) throw refuse('must begin with https:// or http://');
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || /\s/.test(value)) throw refuse('is not a valid URL');
  if (url.username || url.password) throw refuse('must not have a user name or password; the credential has an option');
  if (url.search || url.hash || /[?#]/.test(value)) throw refuse('must not have a query or fragment');
  const prefix = url.pathname.replace(/\/+$/, '');
  if (/(^|\/)v1$/.test(prefix)) throw refuse('ends before /v1, which the client adds itself');
  return { origin: url.origin, prefix };
}

function refuse(message: string): InvalidArgumentError {
  return new InvalidArgumentError('baseUrl', message);
}
