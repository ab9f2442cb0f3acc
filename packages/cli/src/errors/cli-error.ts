import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { CLI_ERRORS } from './own-errors.ts';

/** One of {@link CLI_ERRORS}. */
export type CliErrorCode = keyof typeof CLI_ERRORS;

/** Advice for the user beside the message. */
export interface Advice {
  /** The likely cause. */
  readonly hint?: string | undefined;
  /** The next step or command. */
  readonly next?: string | undefined;
}

/** An error with a code for scripts, advice for people, and an exit code. */
export abstract class AdvisedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly advice: Advice;
  abstract readonly exitCode: ExitCode;

  constructor(code: Code, message: string, advice: Advice = {}) {
    super(message);
    this.code = code;
    this.advice = advice;
  }
}

/** An error that the CLI itself raises. No request follows it. */
export class CliError extends AdvisedError<CliErrorCode> {
  override readonly name = 'CliError';

  get exitCode(): ExitCode {
    return EXIT_CODES[CLI_ERRORS[this.code].exit];
  }
}

/** A failed check. Its code names the finding. */
export class CheckFailedError extends AdvisedError {
  override readonly name = 'CheckFailedError';
  readonly exitCode = EXIT_CODES.checkFailed;
}
