import { WebhookError, WebhookVerificationError } from './errors.ts';

/** Outcome of a call, in a form in which two implementations can be compared. Other errors are not caught. */
export interface Outcome {
  readonly code: string;
  readonly name?: string;
  readonly hint?: string;
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Returns the code of the error that a call throws, or `ok` with its value. */
export function outcomeOf(call: () => unknown): Outcome {
  try {
    return { code: 'ok', value: call() };
  } catch (error) {
    return refused(error);
  }
}

/** Returns the outcome of a call that returns a promise. */
export async function outcomeOfAsync(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { code: 'ok', value: await call() };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): Outcome {
  if (!(error instanceof WebhookError)) throw error;
  const hint = error instanceof WebhookVerificationError ? error.hint : error.message;
  return { code: error.code, name: error.name, hint, error };
}
