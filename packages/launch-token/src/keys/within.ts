/**
 * Returns the result of some work, or fails after `ms`, even if the work ignores the signal.
 * @param what name of the work for the error message
 */
export async function within<T>(ms: number, what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not arrive within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work(controller.signal), tooLate]);
  } finally {
    clearTimeout(timer);
    // Aborts the remaining work, which would hold a connection.
    controller.abort();
  }
}
