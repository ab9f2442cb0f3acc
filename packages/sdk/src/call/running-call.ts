import { AbortedError } from '../errors/connection-errors.ts';
import { Cancellation } from './cancellation.ts';
import type { CallSpec, Engine } from './engine.ts';
import { execute, type Reply } from './execute.ts';

/** A call that was started, and the way to give it up. */
export interface RunningCall {
  readonly reply: Promise<Reply>;
  /** Ends the call without a word: nobody waits for it any more. */
  abandon(): void;
}

/** Starts a call. Wrong arguments, like everything else, become a rejection. */
export function startCall(engine: Engine, build: () => CallSpec): RunningCall {
  const cancellation = new Cancellation();
  const reply = execute(engine, build, cancellation);
  return {
    reply,
    abandon() {
      reply.catch(() => {});
      cancellation.cancel(new AbortedError('The call is no longer needed'));
    },
  };
}
