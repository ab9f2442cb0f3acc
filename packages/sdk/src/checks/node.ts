import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** Returns true on the edge runtime of Vercel and Next.js. */
export function isEdgeRuntime(): boolean {
  return 'EdgeRuntime' in globalThis;
}

/**
 * Returns true if the platform has the modules of Node: Node, Deno, Bun, and workers in compatibility mode. In Next.js,
 * the edge runtime has functions of `process` that throw.
 */
export function hasBuiltinModules(): boolean {
  return !isEdgeRuntime() && typeof process !== 'undefined' && typeof process.getBuiltinModule === 'function';
}

/**
 * Refuses a platform without the modules of Node.
 * @param name - exported name that requires Node
 * @param instead - what other platforms use
 * @throws {@link InvalidArgumentError} on a platform without the modules of Node
 */
export function requireNode(name: string, instead: string): void {
  if (!hasBuiltinModules())
    throw new InvalidArgumentError(name, `of @plat/sdk/node needs Node; in a browser, ${instead}`);
}
