import { HEADERS } from '@plat/contract';
import { checkHeaders } from '../checks/headers.ts';
import { type BearerToken, checkBearer, credentialFailure } from '../credential.ts';
import { ApiError } from '../errors/api-error.ts';
import { AbortedError, ConnectionError, TimeoutError } from '../errors/connection-errors.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { readAnswer, readRequestId } from './answer.ts';
import { Attempt } from './attempt.ts';
import { checkMaxRetries, checkSignal, checkTimeout } from './call-options.ts';
import type { Cancellation } from './cancellation.ts';
import { readDeprecation } from './deprecation.ts';
import type { CallSpec, Engine } from './engine.ts';
import { isStale, toFailure } from './failure.ts';
import { type HookEvent, notify } from './hooks.ts';
import { pacerOf } from './pacer.ts';
import { callHeaders, redactedHeaders } from './request-headers.ts';
import { retryDelay } from './retry.ts';

/** The result of a successful call. */
export interface Reply {
  readonly data: unknown;
  readonly response: TransportResponse;
  readonly attempts: number;
}

/**
 * Makes a call. It repeats attempts until one succeeds, one fails permanently, or the retries or the time are used up.
 * `build` checks the arguments; its error becomes the rejection of the call.
 */
export function execute(engine: Engine, build: () => CallSpec, cancellation: Cancellation): Promise<Reply> {
  try {
    const call = new Call(engine, build(), cancellation);
    const signal = checkSignal(call.spec.options.signal);
    return signal ? runUntilAborted(call, signal, cancellation) : call.run();
  } catch (error) {
    return Promise.reject(error);
  }
}

async function runUntilAborted(call: Call, signal: AbortSignal, cancellation: Cancellation): Promise<Reply> {
  const abort = () => cancellation.cancel(call.aborted(signal));
  if (signal.aborted) throw call.aborted(signal);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await call.run();
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

class Call {
  readonly spec: CallSpec;
  readonly #engine: Engine;
  readonly #cancellation: Cancellation;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeout: number;
  readonly #totalTimeout: number;
  readonly #maxRetries: number;
  readonly #startedAt: number;
  #attempts = 0;
  #attemptStartedAt = 0;
  #retries = 0;
  #renewedConnection = false;
  #renewedCredential = false;
  /** Created with the first event, because most calls have none. */
  #identity: object | undefined;

  constructor(engine: Engine, spec: CallSpec, cancellation: Cancellation) {
    const { options } = spec;
    this.spec = spec;
    this.#engine = engine;
    this.#cancellation = cancellation;
    this.#headers = callHeaders(engine, spec);
    this.#timeout = options.timeout === undefined ? engine.timeout : checkTimeout('timeout', options.timeout);
    this.#totalTimeout =
      options.totalTimeout === undefined ? engine.totalTimeout : checkTimeout('totalTimeout', options.totalTimeout);
    this.#maxRetries = options.maxRetries === undefined ? engine.maxRetries : checkMaxRetries(options.maxRetries);
    this.#startedAt = engine.clock.now();
  }

  async run(): Promise<Reply> {
    try {
      for (;;) {
        const issued = this.#token();
        const token = issued instanceof Promise ? await issued : issued;
        const pacer = this.#engine.isPaced ? pacerOf(this.#service(), token.value) : undefined;
        const wait = pacer?.reserve(this.#engine.clock);
        if (wait) {
          // Asks again afterwards, also for the token, which can have been renewed meanwhile.
          await this.#inTime(wait.over, wait.leave);
          continue;
        }
        try {
          const send = () => this.#send(token);
          const response = await (pacer ? pacer.observe(send, this.#engine.clock) : send());
          return this.#read(response, token);
        } catch (error) {
          await this.#prepareRetry(
            toFailure(error, this.#attempts, this.#engine.baseUrl.origin, token.value),
            token,
            isStale(error),
          );
        }
      }
    } catch (error) {
      const failure = error instanceof PlatformError ? error : new ConnectionError(String(error));
      this.#notifyError(failure);
      throw failure;
    }
  }

  aborted(signal: AbortSignal): AbortedError {
    return new AbortedError('The call was aborted', { attempts: this.#attempts, cause: signal.reason });
  }

  /**
   * Returns the token without a promise if the credential has it in memory, so that the usual request does not wait.
   */
  #token(): BearerToken | Promise<BearerToken> {
    this.#cancellation.throwIfCancelled();
    let given: BearerToken | Promise<BearerToken>;
    try {
      given = this.#engine.credential.get();
      if (!(given instanceof Promise)) checkBearer(given);
    } catch (error) {
      throw credentialFailure(error);
    }
    if (!(given instanceof Promise)) return given;
    const checked = given.then(
      (token) => {
        checkBearer(token);
        return token;
      },
      (error) => {
        throw credentialFailure(error);
      },
    );
    return this.#inTime(checked);
  }

  #send(token: BearerToken): Promise<TransportResponse> {
    const { clock, transport, baseUrl, hooks, warn } = this.#engine;
    const { spec } = this;
    this.#attempts++;
    this.#attemptStartedAt = clock.now();
    const headers: Record<string, string> = { authorization: `Bearer ${token.value}`, ...this.#headers };
    let isSent = false;
    notify(hooks, 'onRequest', warn, () => ({
      ...this.#event(),
      attempt: this.#attempts,
      headers: redactedHeaders(headers, token.value),
      idempotencyKey: this.#headers[HEADERS.idempotencyKey] ?? null,
      addHeaders(more) {
        if (isSent) throw new InvalidArgumentError('headers', 'come too late: the attempt was sent');
        Object.assign(headers, checkHeaders(more));
      },
    }));
    isSent = true;
    const request = new Attempt(spec.method, baseUrl.origin, baseUrl.prefix + spec.path, headers, spec.body);
    const remaining = this.#totalTimeout - (this.#attemptStartedAt - this.#startedAt);
    const late = () => (remaining < this.#timeout ? this.#tooLate() : this.#tooSlow());
    const within = Math.min(this.#timeout, remaining);
    return this.#cancellation.within(transport.send(request), within, late, (reason) => request.cancel(reason));
  }

  #read(response: TransportResponse, token: BearerToken): Reply {
    const { clock, hooks, warn } = this.#engine;
    const attempts = this.#attempts;
    notify(hooks, 'onResponse', warn, () => ({
      ...this.#event(),
      attempt: attempts,
      status: response.status,
      requestId: readRequestId(response.headers, token.value),
      duration: clock.now() - this.#attemptStartedAt,
    }));
    this.#warnOfDeprecation(response);
    const context = { attempts, now: clock.now, secret: token.value };
    return { data: readAnswer(response, this.spec.shape, context), response, attempts };
  }

  /** Returns when the next attempt is due. @throws the failure if there is no further attempt */
  async #prepareRetry(failure: PlatformError, token: BearerToken, stale: boolean): Promise<void> {
    const { clock } = this.#engine;
    if (await this.#hasNewCredential(failure, token)) return this.#notifyRetry(failure, 0);
    if (!failure.retryable || this.#maxRetries === 0) throw failure;
    if (stale && !this.#renewedConnection) {
      // The service closed an idle connection while the request was sent. This is repeated once, and is not counted as
      // a retry.
      this.#renewedConnection = true;
      return this.#notifyRetry(failure, 0);
    }
    if (this.#retries >= this.#maxRetries) throw failure;
    const delay = retryDelay(failure, this.#retries, clock);
    // The response could not arrive before the deadline, so the wait is skipped.
    if (delay >= this.#remaining()) throw failure;
    this.#retries++;
    this.#notifyRetry(failure, delay);
    await this.#cancellation.pause(delay);
  }

  async #hasNewCredential(failure: PlatformError, token: BearerToken): Promise<boolean> {
    const { credential } = this.#engine;
    if (!(failure instanceof ApiError) || failure.status !== 401 || this.#renewedCredential) return false;
    if (!credential.refused) return false;
    this.#renewedCredential = true;
    try {
      const work = Promise.resolve(credential.refused(token, failure));
      return await this.#inTime(work);
    } catch (error) {
      throw credentialFailure(error);
    }
  }

  /** Waits for work that is no attempt, within the time of the call. */
  #inTime<T>(work: Promise<T>, abandon?: () => void): Promise<T> {
    return this.#cancellation.within(work, this.#remaining(), () => this.#tooLate(), abandon);
  }

  #service(): string {
    const { origin, prefix } = this.#engine.baseUrl;
    return origin + prefix;
  }

  #remaining(): number {
    return this.#totalTimeout - (this.#engine.clock.now() - this.#startedAt);
  }

  #tooSlow(): TimeoutError {
    return new TimeoutError('attempt', this.#timeout, { attempts: this.#attempts, retryable: true });
  }

  #tooLate(): TimeoutError {
    return new TimeoutError('total', this.#totalTimeout, { attempts: this.#attempts, retryable: true });
  }

  #event(): HookEvent {
    const { operation, method, path } = this.spec;
    this.#identity ??= Object.freeze({});
    return { call: this.#identity, operation, method, url: this.#service() + path };
  }

  #notifyRetry(error: PlatformError, delay: number): void {
    const { hooks, warn } = this.#engine;
    notify(hooks, 'onRetry', warn, () => ({ ...this.#event(), attempt: this.#attempts, delay, error }));
  }

  #notifyError(error: PlatformError): void {
    const { hooks, warn, clock } = this.#engine;
    notify(hooks, 'onError', warn, () => ({
      ...this.#event(),
      attempts: this.#attempts,
      duration: clock.now() - this.#startedAt,
      error,
    }));
  }

  #warnOfDeprecation(response: TransportResponse): void {
    if (response.headers.get(HEADERS.deprecation) === null) return;
    const { operation } = this.spec;
    this.#engine.warn('DEPRECATED_OPERATION', operation, () => `${operation} is ${readDeprecation(response.headers)}`);
  }
}
