/** A request whose body did not arrive completely. Anyone can cause it, so it is not logged by default. */
export class BrokenBodyError extends Error {
  constructor(cause: unknown) {
    super('The request was closed before its body had arrived.', { cause });
  }
}
