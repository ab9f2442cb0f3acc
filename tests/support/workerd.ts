import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { findRuntimes } from './find-servers.ts';

interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}
interface Modules {
  readonly esbuild: { build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }> };
  readonly miniflare: { readonly Miniflare: new (options: object) => Miniflare };
}
/** Returns a program of tests/runtimes. */
export const load = <N extends keyof Modules>(name: N): Modules[N] =>
  createRequire(join(findRuntimes() ?? '', 'package.json'))(name);

/** Returns a program in one file, as wrangler bundles it. */
export async function bundleWorker(entry: string): Promise<string> {
  const { outputFiles } = await load('esbuild').build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    write: false,
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:workers'],
  });
  return outputFiles[0]?.text ?? '';
}

/** Runs a worker on workerd until the test ends, and returns its address. The options are those of miniflare. */
export async function startWorkerd(options: { readonly script: string } & Record<string, unknown>): Promise<string> {
  const { Miniflare } = load('miniflare');
  const handleRuntimeStdio = (...streams: readonly Readable[]) => {
    for (const stream of streams) stream.resume();
  };
  const worker = new Miniflare({ modules: true, host: '127.0.0.1', port: 0, handleRuntimeStdio, ...options });
  onTestFinished(() => worker.dispose());
  return (await worker.ready).origin;
}
