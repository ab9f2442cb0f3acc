import { OperatorError } from '../kernel/operator-error.ts';

/** Thrown when the server cannot start. */
export class StartError extends OperatorError {
  override readonly name = 'StartError';
}
