type ServerTesting = typeof import('@plat/server/testing');

/**
 * The peer that only whole-server tests need.
 * @throws Error that says how to get it, when it is not installed
 */
export async function loadServer(load = (): Promise<ServerTesting> => import('@plat/server/testing')) {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Error('usePlatform starts @plat/server, which is not installed: npm install --save-dev @plat/server', {
      cause: error,
    });
  }
}

/** Whether it is the package itself that was not found, and not something that it imports. */
function isMissing(error: unknown): boolean {
  const isNotFound = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  return isNotFound && error.message.includes("'@plat/server'");
}
