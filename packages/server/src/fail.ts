import { printableText } from '@plat/contract';
import { CommanderError } from 'commander';
import { ConfigError } from './config/config-error.ts';
import { ClockOffsetError } from './db/clock-watch.ts';
import { DatabaseUnusableError } from './db/database.ts';
import { ApiError } from './kernel/api-error.ts';
import { MasterKeyError } from './kernel/seal.ts';
import { CommandError } from './ops/commands/operator.ts';
import { StartError } from './ops/start-error.ts';

/** Prints the error that ended the program, and ends the process. */
export function fail(error: unknown): never {
  // Commander has printed the help or the problem.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  if (error instanceof ConfigError) {
    process.stderr.write(`plat-server: ${error.problems.join('\nplat-server: ')}\n`);
  } else if (isForOperator(error)) {
    process.stderr.write(`plat-server: ${printableText(error.message)}\n`);
  } else {
    process.stderr.write(`plat-server: ${error instanceof Error ? describe(error) : String(error)}\n`);
  }
  process.exit(1);
}

/** Stack of an error, below its message. The stacks of Sequelize have no message. */
function describe({ name, message, stack = '' }: Error): string {
  return stack.includes(message) ? stack : `${name}: ${message}\n${stack}`;
}

/** Errors whose message is enough for the operator, without a stack. */
function isForOperator(error: unknown): error is Error {
  return [StartError, DatabaseUnusableError, ClockOffsetError, MasterKeyError, CommandError, ApiError].some(
    (kind) => error instanceof kind,
  );
}
