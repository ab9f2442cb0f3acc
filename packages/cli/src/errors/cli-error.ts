import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { CLI_ERRORS } from './own-errors.ts';

/** One of {@link CLI_ERRORS}. */
export type CliErrorCode = keyof typeof CLI_ERRORS;

/** What the person at the terminal gets beside the message. */
export interface Advice {
  /** The likely cause. */
  readonly hint?: string | undefined;
  /** What to do or to type next. */
  readonly next?: string | undefined;
}

/** Why a command did not do what it was asked: a code for scripts, advice for people, and the exit code. */
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

/** A refusal of the CLI's own: nothing was sent, or nothing more will be. */
export class CliError extends AdvisedError<CliErrorCode> {
  override readonly name = 'CliError';

  get exitCode(): ExitCode {
    return EXIT_CODES[CLI_ERRORS[this.code].exit];
  }
}

/** What a command looked at is not as it should be. Its code says what was found. */
export class CheckFailedError extends AdvisedError {
  override readonly name = 'CheckFailedError';
  readonly exitCode = EXIT_CODES.checkFailed;
}
