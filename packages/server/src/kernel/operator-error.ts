/** A failure whose message is one line for the operator, with advice. It is printed without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
