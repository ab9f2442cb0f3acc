import type { OptionNames } from '@plat/contract';
import type { Dedupe } from '../dedupe/index.ts';
import { hasSteps } from '../dedupe/store.ts';
import { WebhookConfigurationError } from '../errors.ts';
import type { WebhookEvent } from '../event.ts';
import { checkOptions } from '../options.ts';
import type { TimeOptions } from '../policy.ts';
import type { MatchedSecret } from '../secrets.ts';

/** What every adapter takes beside the options of its verifier. */
export interface AdapterOptions {
  /**
   * Skips events that were handled before (200, the handler is not called), and answers 409 while one is being handled.
   * A handler that throws releases its claim.
   */
  readonly dedupe?: Dedupe | undefined;
  /** Bytes of a body at most, 1,048,576 by default; a larger one is refused with 413. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Is told of everything that is not answered with 200, with the event when it is proven: log `error.message` of a
   * WebhookVerificationError, it names the cause. By default refusals are silent, since strangers can cause them, and
   * failures of the handler or the dedupe store go to `console.error`, and so does what it throws or rejects with itself.
   */
  readonly onError?: ((error: unknown, event: WebhookEvent | undefined) => unknown) | undefined;
}

/** What a handler learns beside the event. */
export interface DeliveryContext<R> {
  /** `X-Platform-Delivery-Id`: this attempt. It is not signed: for logs only. */
  readonly deliveryId: string | undefined;
  /** The framework's own request. */
  readonly request: R;
  /** The secret that verified the delivery: its position and your label, not the secret itself. */
  readonly secret: MatchedSecret;
}

/**
 * Handles a proven event. When it returns, or its promise resolves, the delivery is answered with 200; when it fails,
 * with 500, and the platform tries again. The platform waits 10 seconds: hand longer work to a queue.
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
 * Checks the options of an adapter, and separates those of its verifier.
 *
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
  if (dedupe !== undefined && !hasSteps(dedupe)) throw invalid('dedupe must be what createDedupe() gives.');
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes <= 0) {
    throw invalid('maxBodyBytes must be a whole number of bytes above 0.');
  }
  return { verifier: { secrets, tolerance, now }, maxBytes: maxBodyBytes };
}

function invalid(message: string): WebhookConfigurationError {
  return new WebhookConfigurationError('OPTION_INVALID', message);
}
