import { LaunchTokenError } from './errors.ts';

/** Outcome of a call, in a form in which several implementations can be compared. Other errors are not caught. */
export interface Outcome {
  readonly code: string;
  readonly message?: string;
  readonly status?: number;
  readonly value?: unknown;
}

/** Returns the code of the error that a call throws, or `ok` with its value. */
export async function outcomeOf(call: () => unknown): Promise<Outcome> {
  try {
    return { code: 'ok', value: await call() };
  } catch (error) {
    if (!(error instanceof LaunchTokenError)) throw error;
    const { code, message, status } = error;
    return { code, message, status };
  }
}
