import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished } from 'vitest';
import { tempFolder } from './processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder in which Deno and workerd are installed; null without them. */
    runtimes: string | null;
  }
}

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const installed = inject('runtimes');

/** True if tests run on Deno and workerd. */
export const hasRuntimes = installed !== null;

interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}
interface Modules {
  readonly esbuild: { build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }> };
  readonly miniflare: { readonly Miniflare: new (options: object) => Miniflare };
}
const load = <N extends keyof Modules>(name: N): Modules[N] =>
  createRequire(join(installed ?? '', 'package.json'))(name);

/** Returns a folder whose programs import the built packages, removed with the test. */
function scratch(): string {
  const path = tempFolder();
  writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(path, 'node_modules'));
  symlinkSync(join(repository, 'node_modules', '@plat'), join(path, 'node_modules', '@plat'));
  return path;
}

/** Starts a worker on workerd, and returns its address. */
export async function startWorker(code: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const path = scratch();
  const { outputFiles } = await load('esbuild').build({
    stdin: { contents: code, resolveDir: path },
    bundle: true,
    format: 'esm',
    write: false,
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:workers'],
  });
  const { Miniflare } = load('miniflare');
  const worker = new Miniflare({
    modules: true,
    script: outputFiles[0]?.text,
    compatibilityDate: '2025-01-01',
    bindings: variables,
    // Classes that the code may export, by their bindings.
    durableObjects: code.includes('class Grants') ? { GRANTS: 'Grants' } : {},
    host: '127.0.0.1',
    port: 0,
  });
  onTestFinished(() => worker.dispose());
  return (await worker.ready).origin;
}

/** Runs a program on Deno that has only the permission `--allow-net`, and returns what it prints. */
export async function runOnDeno(code: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const path = scratch();
  const file = join(path, 'program.mjs');
  writeFileSync(file, code);
  const binary = join(installed ?? '', 'node_modules', '@deno', 'linux-x64-glibc', 'deno');
  const args = ['run', '--quiet', '--no-prompt', '--allow-net', '--node-modules-dir=manual', file];
  const child = spawn(binary, args, { cwd: path, env: { HOME: path, DENO_NO_UPDATE_CHECK: '1' } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.on('close', (exit) => resolve({ code: exit, output })));
}
