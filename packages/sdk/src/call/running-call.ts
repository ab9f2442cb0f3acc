import { AbortedError } from '../errors/connection-errors.ts';
import { Cancellation } from './cancellation.ts';
import type { CallSpec, Engine } from './engine.ts';
import { execute, type Reply } from './execute.ts';

/** A started call, and the function that abandons it. */
export interface RunningCall {
  readonly reply: Promise<Reply>;
  /** Cancels the call silently. Its result is no longer used. */
  abandon(): void;
}

/** Starts a call. All errors, including invalid arguments, become a rejection. */
export function startCall(engine: Engine, build: () => CallSpec): RunningCall {
  const cancellation = new Cancellation(engine.clock);
  const reply = execute(engine, build, cancellation);
  return {
    reply,
    abandon() {
      reply.catch(() => {});
      cancellation.cancel(new AbortedError('The call is no longer needed'));
    },
  };
}
