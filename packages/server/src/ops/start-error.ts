/** Thrown when the server cannot start. The message is one line for the operator, with advice. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
