export { CLI_ERROR_CODES, type CliErrorCode } from './cli-error.ts';
export { EXIT_CODES, EXIT_OF_ERROR_CODE, type ExitCode } from './exit-codes.ts';
export type { Io, Output } from './io.ts';
export { run } from './run.ts';
