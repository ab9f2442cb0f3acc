import { EXIT_CODES, type ExitCode } from './exit-codes.ts';

/** Codes of what goes wrong before or beside the API, with their exit codes. Append-only, as scripts see them. */
export const CLI_ERROR_CODES = {
  USAGE: EXIT_CODES.usage,
  UNREADABLE_INPUT: EXIT_CODES.usage,
  NO_BASE_URL: EXIT_CODES.usage,
  NO_API_KEY: EXIT_CODES.auth,
  NOT_LOGGED_IN: EXIT_CODES.auth,
  UNREADABLE_CREDENTIALS: EXIT_CODES.usage,
  UNWRITABLE_CREDENTIALS: EXIT_CODES.unexpected,
  CONFIRMATION_REQUIRED: EXIT_CODES.confirmation,
  LIVE_KEY_NEEDS_FLAG: EXIT_CODES.confirmation,
  EVENT_NOT_CAUSABLE: EXIT_CODES.refused,
  LISTENER_RUNNING: EXIT_CODES.conflict,
  UNREADABLE_STATE: EXIT_CODES.usage,
  UNWRITABLE_STATE: EXIT_CODES.unexpected,
  NO_DEV_TOOLS: EXIT_CODES.notFound,
  SERVER_NOT_FOUND: EXIT_CODES.usage,
  SERVER_FAILED: EXIT_CODES.server,
  UNWRITABLE_OUTPUT: EXIT_CODES.unexpected,
  UNEXPECTED: EXIT_CODES.unexpected,
} as const satisfies Record<string, ExitCode>;

/** One of {@link CLI_ERROR_CODES}. */
export type CliErrorCode = keyof typeof CLI_ERROR_CODES;

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
    return CLI_ERROR_CODES[this.code];
  }
}

/** What a command looked at is not as it should be. Its code says what was found. */
export class CheckFailedError extends AdvisedError {
  override readonly name = 'CheckFailedError';
  readonly exitCode = EXIT_CODES.checkFailed;
}
