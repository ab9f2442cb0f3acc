import type { OptionNames } from '@plat/contract';
import type { Dedupe } from '../dedupe/index.ts';
import { hasSteps } from '../dedupe/store.ts';
import { WebhookConfigurationError } from '../errors.ts';
import type { WebhookEvent } from '../event.ts';
import { checkOptions } from '../options.ts';
import type { TimeOptions } from '../policy.ts';
import type { MatchedSecret } from '../secrets.ts';

/** Options of every adapter besides those of its verifier. */
export interface AdapterOptions {
  /**
   * Skips events that were already handled: they get 200 without a call of the handler. While an event is being
   * handled, its duplicates get 409. A handler that throws releases its claim.
   */
  readonly dedupe?: Dedupe | undefined;
  /** Maximum size of a body in bytes; 1,048,576 by default. A larger body is refused with 413. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Called for each refusal and each failure, with the event if it is verified. Log the `message` of a
   * WebhookVerificationError: it names the cause. By default refusals and bodies that break off are not logged, because
   * anyone on the internet can cause them. Failures of the handler, of the secrets resolver, of the dedupe store and of
   * this function are written to `console.error`.
   */
  readonly onError?: ((error: unknown, event: WebhookEvent | undefined) => unknown) | undefined;
}

/** Context of a delivery, passed to the handler besides the event. */
export interface DeliveryContext<R> {
  /** Id of this attempt, from `X-Platform-Delivery-Id`. The header is not signed: use it for logs only. */
  readonly deliveryId: string | undefined;
  /** The request object of the framework. */
  readonly request: R;
  /** Position and label of the secret that verified the delivery. It does not contain the secret itself. */
  readonly secret: MatchedSecret;
}

/**
 * Handles a verified event. If it returns or its promise resolves, the response is 200. If it fails, the response is
 * 500 and the platform sends the event again. The platform waits 10 seconds: pass longer work to a queue.
 */
export type EventHandler<R> = (event: WebhookEvent, context: DeliveryContext<R>) => unknown;

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

/** The options of every adapter. */
interface CommonOptions<S> extends TimeOptions, AdapterOptions {
  readonly secrets: S;
}

const NAMES: OptionNames<CommonOptions<unknown>> = {
  secrets: true,
  tolerance: true,
  now: true,
  dedupe: true,
  maxBodyBytes: true,
  onError: true,
};

/**
 * Checks the options of an adapter and separates those of its verifier.
 * @param ownNames options that this adapter alone has
 * @throws {WebhookConfigurationError} `OPTION_INVALID`
 */
export function readAdapterOptions<S>(
  adapter: string,
  options: CommonOptions<S>,
  handler: unknown,
  ownNames: Readonly<Record<string, true>> = {},
): { readonly verifier: TimeOptions & { readonly secrets: S }; readonly maxBytes: number } {
  checkOptions(adapter, options, { ...NAMES, ...ownNames });
  const { secrets, tolerance, now, dedupe, onError, maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  if (typeof handler !== 'function') throw invalid('The second argument must be the function that handles events.');
  if (onError !== undefined && typeof onError !== 'function') throw invalid('onError must be a function.');
  if (dedupe !== undefined && !hasSteps(dedupe)) throw invalid('dedupe must be the result of createDedupe().');
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes <= 0) {
    throw invalid('maxBodyBytes must be a whole number of bytes above 0.');
  }
  return { verifier: { secrets, tolerance, now }, maxBytes: maxBodyBytes };
}

function invalid(message: string): WebhookConfigurationError {
  return new WebhookConfigurationError('OPTION_INVALID', message);
}
