export type { CliErrorCode } from './errors/cli-error.ts';
export { EXIT_CODES, type ExitCode } from './errors/exit-codes.ts';
export { EXIT_OF_ERROR_CODE } from './errors/exit-of-error-code.ts';
export { LAUNCH_TOKEN_ERRORS, SDK_ERRORS, WEBHOOK_ERRORS } from './errors/library-errors.ts';
export { CHECK_ERRORS, CLI_ERRORS, CONNECTION_ERRORS } from './errors/own-errors.ts';
export { run } from './run.ts';
export type { Io, Output } from './terminal/io.ts';
