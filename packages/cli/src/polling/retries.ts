import type { ApiCall, CallOptions, RateLimit } from '@plat/sdk';
import { type CommandContext, note } from '../command/context.ts';
import { pause } from '../terminal/stopping.ts';

const REQUEST_MS = 15_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

/** Calls of an endless command: transient errors are retried until they end. */
export interface Retries {
  /** Options for every call. The SDK does not retry, since {@link retrying} does. */
  readonly options: CallOptions;
  /** @throws permanent errors, and any error before the first success */
  retrying<T>(call: () => Pick<ApiCall<T>, 'withMeta'>): Promise<T>;
  /** Returns whether less than a quarter of the key's requests remain, which other programs may need. */
  isRateLimitLow(): boolean;
}

export async function createRetries(context: CommandContext, signal: AbortSignal): Promise<Retries> {
  const { isTransient, retryAfterOf } = await import('./transient-error.ts');
  let wasReached = false;
  let rateLimit: RateLimit | null = null;
  return {
    options: { signal, maxRetries: 0, timeout: REQUEST_MS },
    async retrying(call) {
      for (let failures = 0; ; failures++) {
        try {
          const answer = await call().withMeta();
          if (failures > 0) await note(context, 'The server responds again.');
          wasReached = true;
          rateLimit = answer.rateLimit;
          return answer.data;
        } catch (error) {
          signal.throwIfAborted();
          if (!isTransient(error, wasReached)) throw error;
          const ms = Math.max(retryAfterOf(error), Math.min(FIRST_WAIT_MS * 2 ** failures, MAX_WAIT_MS));
          if (failures === 0) await note(context, `${error.message}. Retrying until it responds.`);
          await pause(context.io, ms, signal);
        }
      }
    },
    isRateLimitLow: () => rateLimit !== null && rateLimit.remaining < rateLimit.limit / 4,
  };
}
