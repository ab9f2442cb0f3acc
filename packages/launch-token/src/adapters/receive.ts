import type { LaunchClaims } from '../claims.ts';
import { requireEntitlement } from '../entitlement.ts';
import { LAUNCH_TOKEN_CODES, LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import { type LaunchVerifierOptions, readGuard } from '../options.ts';
import { ADAPTER_NAMES, type AdapterOptions, checkAdapterOptions, readMaxBodyBytes } from './options.ts';

/** The response to a refused launch: the error body of the specification. */
export interface Refusal {
  readonly status: LaunchTokenError['status'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly code: AnswerCode; readonly message: string };
}

/** Error codes of the responses: those of the specification, which does not distinguish why a credential is invalid. */
type AnswerCode = (typeof ANSWER_CODES)[LaunchTokenError['status']];

const ANSWER_CODES = {
  401: 'INVALID_TOKEN',
  403: 'NOT_ENTITLED',
  413: 'PAYLOAD_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

/** Receives launches for every framework. */
export interface Receiver {
  /** Maximum number of bytes that are read of a body. */
  readonly maxBytes: number;
  /**
   * Returns the claims of a launch, or its refusal.
   * @param readToken reads the token from the request
   * @throws errors that are not refusals: a failure of the request itself
   */
  receive(readToken: () => unknown): Promise<{ readonly claims: LaunchClaims } | { readonly refusal: Refusal }>;
}

/**
 * @param names of the options of the verifier, and of those that only this adapter has
 * @param createVerifier is called without a guard: the receiver claims the token last, so that a token that was refused
 * for another reason can be presented again
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function createReceiver<O extends LaunchVerifierOptions & AdapterOptions>(
  adapter: string,
  options: O,
  names: Readonly<Record<string, true>>,
  createVerifier: (options: O) => { verify(token: unknown): Promise<LaunchClaims> },
): Receiver {
  checkNames(adapter, options, { ...names, ...ADAPTER_NAMES });
  const verifier = createVerifier({ ...options, once: undefined });
  const once = readGuard(options);
  checkAdapterOptions(options);
  const { entitlement } = options;
  return {
    maxBytes: readMaxBodyBytes(options),
    async receive(readToken) {
      try {
        const claims = await verifier.verify(await readToken());
        if (entitlement !== undefined) requireEntitlement(claims, entitlement);
        await once?.use(claims);
        return { claims };
      } catch (error) {
        if (!(error instanceof LaunchTokenError)) throw error;
        report(options, error);
        return { refusal: refusalOf(error) };
      }
    },
  };
}

/** Returns the response to a refused launch, without the hint, which may describe the configuration of the receiver. */
export function refusalOf({ code, status }: LaunchTokenError): Refusal {
  const headers = { 'cache-control': 'no-store', ...(status === 503 ? { 'retry-after': '5' } : {}) };
  return { status, headers, body: { code: ANSWER_CODES[status], message: LAUNCH_TOKEN_CODES[code].sentence } };
}

/**
 * Reports an error to `onError`. By default it is written to the console if the caller is not at fault. A failing log
 * must not change the response to the caller.
 */
export function report({ onError }: AdapterOptions, error: LaunchTokenError): void {
  if (!onError) {
    if (error.status >= 500) console.error(error);
    return;
  }
  const failed = (reason: unknown) => console.error(reason);
  try {
    // The promise is not awaited. This catch handles an async `onError` that rejects later.
    Promise.resolve(onError(error)).catch(failed);
  } catch (reason) {
    failed(reason);
  }
}
