/** Ends the parts of a process in the reverse order of their start. */
export class Closers {
  readonly #ends: (() => unknown)[] = [];

  /** Adds the end of a part that has started. */
  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /**
   * Ends all parts, also when the end of one fails.
   * @throws the first error
   */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

/** Runs a start. If it fails, ends the parts that have started, and throws its error. */
export async function startOrClose<T>(start: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await start(closers);
  } catch (error) {
    // The caller needs the error of the start.
    await closers.close().catch(() => undefined);
    throw error;
  }
}
