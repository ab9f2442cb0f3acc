import { printableText } from '@plat/contract';
import { CommanderError } from 'commander';
import { ConfigError } from './config/config-error.ts';
import { ApiError } from './kernel/api-error.ts';
import { OperatorError } from './kernel/operator-error.ts';

/** Prints the error that ended the program, and ends the process. */
export function fail(error: unknown): never {
  // Commander has printed the help or the problem.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  if (error instanceof ConfigError) {
    process.stderr.write(`plat-server: ${error.problems.join('\nplat-server: ')}\n`);
  } else if (error instanceof OperatorError || error instanceof ApiError || isSystemError(error)) {
    process.stderr.write(`plat-server: ${printableText(error.message)}\n`);
  } else {
    process.stderr.write(`plat-server: ${error instanceof Error ? describe(error) : String(error)}\n`);
  }
  process.exit(1);
}

/** True for an error of the operating system. Its message names the operation and the file. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** Stack of an error, below its message. The stacks of Sequelize have no message. */
function describe({ name, message, stack = '' }: Error): string {
  return stack.includes(message) ? stack : `${name}: ${message}\n${stack}`;
}
