import type { CallOptions } from '@plat/sdk';
import { type CommandContext, note } from '../command/context.ts';
import { pause } from '../terminal/stopping.ts';

const REQUEST_MS = 15_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** How a command that goes on for ever asks: a server that is away is waited for. */
export interface Patience {
  /** What every call is made with, as the retries are those of {@link patiently}. */
  readonly options: CallOptions;
  /** @throws what the server says of the call itself, or when it was never reached */
  patiently<T>(call: () => Promise<T>): Promise<T>;
}

export async function createPatience(context: CommandContext, signal: AbortSignal): Promise<Patience> {
  const { isPassing, retryAfterOf } = await import('./passing.ts');
  let wasReached = false;
  return {
    options: { signal, maxRetries: 0, timeout: REQUEST_MS },
    async patiently(call) {
      for (let failures = 0; ; failures++) {
        try {
          const answer = await call();
          if (failures > 0) await note(context, 'The server answers again.');
          wasReached = true;
          return answer;
        } catch (error) {
          signal.throwIfAborted();
          if (!isPassing(error, wasReached)) throw error;
          const ms = Math.max(retryAfterOf(error), Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS));
          if (failures === 0) await note(context, `${error.message}. Trying again until it answers.`);
          await pause(context.io, ms, signal);
        }
      }
    },
  };
}
