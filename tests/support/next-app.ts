import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type NodeProcess, repository, spawnProgram } from './process.ts';

/** Installation of the example, which has the only Next.js of this repository. */
const INSTALLED = join(repository, 'examples/nextjs-saas/node_modules');

/** Starts a command of Next.js in the folder of an app. With `CI`, it installs nothing. */
export function next(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): NodeProcess {
  const program = join(INSTALLED, 'next/dist/bin/next');
  return spawnProgram(process.execPath, {
    args: [program, ...args],
    cwd,
    env: { CI: '1', NEXT_TELEMETRY_DISABLED: '1', ...env },
  });
}

/**
 * Writes and builds an app with TypeScript. It finds other packages in the `node_modules` of a parent folder.
 * @throws Error with the output of a build that fails
 */
export async function buildNextApp(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries({ ...FILES, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const name of ['next', 'react', 'react-dom']) link(folder, name, join(INSTALLED, name));
  for (const name of ['typescript', '@types/node']) link(folder, name, join(repository, 'node_modules', name));
  const build = next(folder, ['build']);
  const { code } = await build.exited;
  if (code !== 0) throw new Error(`next build failed:\n${build.stdout()}${build.stderr()}`);
}

/** Files of every app. The root contains the links. The compiler of this repository has no API, so its program runs. */
const FILES = {
  'package.json': '{ "private": true }',
  'next.config.mjs': "export default { turbopack: { root: '/' }, experimental: { useTypeScriptCli: true } };",
  // Next requires the types of React in an app with TypeScript. Route handlers do not use them.
  'node_modules/@types/react/package.json': '{ "name": "@types/react", "version": "19.0.0", "types": "index.d.ts" }',
  'node_modules/@types/react/index.d.ts': 'export {};',
};

function link(folder: string, name: string, target: string): void {
  mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
  symlinkSync(target, join(folder, 'node_modules', name), 'junction');
}
