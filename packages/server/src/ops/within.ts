/** Resolves to a result, or to another value when the result takes longer than `ms`. */
export async function within<T>(ms: number, result: Promise<T>, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(resolve, ms, otherwise);
  try {
    return await Promise.race([result, promise]);
  } finally {
    clearTimeout(timer);
  }
}
