import type { LaunchClaims } from '../claims.ts';
import { requireEntitlement } from '../entitlement.ts';
import { LAUNCH_TOKEN_CODES, LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import { type LaunchVerifierOptions, readGuard } from '../options.ts';
import { ADAPTER_NAMES, type AdapterOptions, checkAdapterOptions, readMaxBodyBytes } from './options.ts';

/** What a refused launch is answered with: the specification's error body. */
export interface Refusal {
  readonly status: LaunchTokenError['status'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly code: AnswerCode; readonly message: string };
}

/** Codes of the answers: those of the specification, which has no finer ones for a credential that does not hold. */
type AnswerCode = (typeof ANSWER_CODES)[LaunchTokenError['status']];

const ANSWER_CODES = {
  401: 'INVALID_TOKEN',
  403: 'NOT_ENTITLED',
  413: 'PAYLOAD_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

/** Takes launches in: whatever framework brought them. */
export interface Receiver {
  /** Bytes that are read of a body. */
  readonly maxBytes: number;
  /**
   * The claims of a launch, or its refusal.
   *
   * @param readToken reads it off the request
   * @throws what is no refusal: a failure of the request itself
   */
  receive(readToken: () => unknown): Promise<{ readonly claims: LaunchClaims } | { readonly refusal: Refusal }>;
}

/**
 * @param names of the options of the verifier, and of those that this adapter alone has
 * @param createVerifier is given no guard: the receiver takes a token last, so that one that is refused for another reason
 *   can be presented again
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

/** The answer to a launch that was not let in. The hint stays here: it may tell how the receiver is set up. */
export function refusalOf({ code, status }: LaunchTokenError): Refusal {
  const headers = { 'cache-control': 'no-store', ...(status === 503 ? { 'retry-after': '5' } : {}) };
  return { status, headers, body: { code: ANSWER_CODES[status], message: LAUNCH_TOKEN_CODES[code].sentence } };
}

/**
 * Tells `onError`, or the console where there is none and the fault is not the caller's. A log that fails must not decide
 * what the caller is told.
 */
export function report({ onError }: AdapterOptions, error: LaunchTokenError): void {
  if (!onError) {
    if (error.status >= 500) console.error(error);
    return;
  }
  const failed = (reason: unknown) => console.error(reason);
  try {
    // Nobody waits for it. One that is async may fail later, which nobody else would catch.
    Promise.resolve(onError(error)).catch(failed);
  } catch (reason) {
    failed(reason);
  }
}
