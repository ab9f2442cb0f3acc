export { CLI_ERROR_CODES, type CliErrorCode } from './errors/cli-error.ts';
export { EXIT_CODES, EXIT_OF_ERROR_CODE, type ExitCode } from './errors/exit-codes.ts';
export { run } from './run.ts';
export type { Io, Output } from './terminal/io.ts';
