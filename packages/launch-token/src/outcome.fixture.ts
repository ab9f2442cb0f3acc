import { LaunchTokenError } from './errors.ts';

/** What became of a call, in a form that several ways can be compared by. Errors of other kinds are not caught. */
export interface Outcome {
  readonly code: string;
  readonly message?: string;
  readonly status?: number;
  readonly value?: unknown;
}

/** The code of what a call throws, or `ok` with its value. */
export async function outcomeOf(call: () => unknown): Promise<Outcome> {
  try {
    return { code: 'ok', value: await call() };
  } catch (error) {
    if (!(error instanceof LaunchTokenError)) throw error;
    const { code, message, status } = error;
    return { code, message, status };
  }
}
