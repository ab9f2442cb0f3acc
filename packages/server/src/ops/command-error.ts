import { OperatorError } from '../kernel/operator-error.ts';

/** Thrown when a command fails: exit code 1. */
export class CommandError extends OperatorError {
  override readonly name = 'CommandError';
}
