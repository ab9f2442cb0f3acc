/**
 * The outcome of some work, or a failure once its time is over: whether or not the work heeds the signal.
 *
 * @param what who is waited for, as the failure names it
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
    // Whatever of it is still under way holds a connection.
    controller.abort();
  }
}
