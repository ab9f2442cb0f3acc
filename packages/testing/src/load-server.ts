type ServerTesting = typeof import('@plat/server/testing');

/**
 * Loads `@plat/server`, an optional peer that only tests with the real server need.
 * @throws Error with the install command, when it is not installed
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

/** Returns whether the package itself is missing, rather than a module that it imports. */
function isMissing(error: unknown): boolean {
  const isNotFound = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  return isNotFound && error.message.includes("'@plat/server'");
}
