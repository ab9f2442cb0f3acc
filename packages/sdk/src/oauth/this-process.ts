import { hasBuiltinModules } from '../checks/node.ts';

/** Returns the name of this process for processes that wait for it: `process 4711 on web-1`. */
export function thisProcess(): string {
  if (!hasBuiltinModules()) return 'another process';
  // Deno would ask the person for a permission.
  if ('Deno' in globalThis) return `process ${process.pid} in Deno`;
  return `process ${process.pid} on ${process.getBuiltinModule('node:os').hostname()}`;
}
