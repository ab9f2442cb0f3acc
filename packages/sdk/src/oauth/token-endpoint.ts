import { freshConnections } from '#default-transport';
import { readAnswer } from '../call/answer.ts';
import { Attempt } from '../call/attempt.ts';
import { Cancellation } from '../call/cancellation.ts';
import { type Clock, pause } from '../call/clock.ts';
import { toFailure, wasNeverSent } from '../call/failure.ts';
import { retryDelay } from '../call/retry.ts';
import type { BaseUrl } from '../checks/base-url.ts';
import { ApiError } from '../errors/api-error.ts';
import { TimeoutError } from '../errors/connection-errors.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import type { PlatformError } from '../errors/platform-error.ts';
import type { Transport } from '../transport/transport.ts';

/** Outcome of a request that must not be sent twice. */
export type Outcome =
  | { readonly kind: 'answered'; readonly body: Readonly<Record<string, unknown>>; readonly askedAt: number }
  /** The service refused the request, and changed nothing. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** The request was not sent. */
  | { readonly kind: 'not_sent'; readonly error: PlatformError }
  /** The request was sent without a valid response. It may have been processed. */
  | { readonly kind: 'unknown'; readonly error: PlatformError };

/** The OAuth endpoints of the service, called with the credentials of the app. */
export interface TokenEndpoint {
  /** Sends a form at most once. It is sent again only if it provably was not sent, or was refused by the rate limit. */
  sendOnce(path: string, form: Readonly<Record<string, string>>): Promise<Outcome>;
  /**
   * Sends a form that can be repeated.
   * @throws {@link PlatformError} the error of the last attempt
   */
  send(path: string, form: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>>;
}

export interface TokenEndpointSettings {
  readonly baseUrl: BaseUrl;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport | undefined;
  /** Time-out of a whole call in milliseconds, including repetitions. */
  readonly timeout: number;
  readonly clock: Clock;
}

/** Maximum number of repetitions. */
const RETRIES = 2;

export function createTokenEndpoint(settings: TokenEndpointSettings): TokenEndpoint {
  const { baseUrl, clientId, clientSecret, timeout, clock } = settings;
  const transport = settings.transport ?? freshConnections();
  const headers = { ...settings.headers, 'content-type': 'application/x-www-form-urlencoded' };

  async function attempt(path: string, form: Readonly<Record<string, string>>, until: number): Promise<Outcome> {
    const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString();
    const request = new Attempt('POST', baseUrl.origin, baseUrl.prefix + path, headers, body);
    const secret = [clientSecret, ...Object.values(form).filter((value) => value.length >= 16)];
    const askedAt = clock.now();
    const late = () => new TimeoutError('attempt', timeout, { attempts: 1, retryable: true });
    try {
      const sent = transport.send(request);
      const cancel = (reason: PlatformError): void => request.cancel(reason);
      const response = await new Cancellation(clock).within(sent, until - askedAt, late, cancel);
      const answer = readAnswer(response, 'object', { attempts: 1, now: clock.now, secret });
      return { kind: 'answered', body: answer as Record<string, unknown>, askedAt };
    } catch (error) {
      const failure = toFailure(error, 1, baseUrl.origin, secret);
      if (failure instanceof ApiError && failure.status < 500) return { kind: 'refused', error: failure };
      return { kind: wasNeverSent(error) ? 'not_sent' : 'unknown', error: failure };
    }
  }

  return {
    async sendOnce(path, form) {
      const until = clock.now() + timeout;
      for (let retries = 0; ; retries++) {
        const outcome = await attempt(path, form, until);
        if (outcome.kind !== 'not_sent' && !isTurnedAway(outcome)) return outcome;
        const delay = retryDelay(outcome.error, retries, clock);
        if (!outcome.error.retryable || clock.now() + delay >= until) return outcome;
        await pause(clock, delay);
      }
    },
    async send(path, form) {
      const until = clock.now() + timeout;
      for (let retries = 0; ; retries++) {
        const outcome = await attempt(path, form, until);
        if (outcome.kind === 'answered') return outcome.body;
        const delay = retryDelay(outcome.error, retries, clock);
        if (!outcome.error.retryable || retries >= RETRIES || clock.now() + delay >= until) throw outcome.error;
        await pause(clock, delay);
      }
    },
  };
}

/** Creates the error for an invalid response. */
export function invalidAnswer(path: string, what: string): InvalidResponseError {
  return new InvalidResponseError('INVALID_RESPONSE', 200, `The response of ${path} ${what}`);
}

function isTurnedAway(outcome: Outcome): outcome is Extract<Outcome, { kind: 'refused' }> {
  return outcome.kind === 'refused' && outcome.error.code === 'RATE_LIMITED';
}
