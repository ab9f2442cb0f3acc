import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { clientOf } from '../command/connect.ts';
import { type CommandContext, note, print } from '../command/context.ts';
import { removeReadyFile, writeReadyFile } from '../files/ready-file.ts';
import { jsonLine, printResult } from '../output/result.ts';
import { type Child, startChild } from '../terminal/child.ts';
import { Stopped, type Stopping, stopOnSignals } from '../terminal/stopping.ts';
import { createSeed } from './create-seed.ts';
import type { DevOptions } from './dev-options.ts';
import { findServer, scriptAt } from './find-server.ts';
import { readSeed, type Seed } from './seed-file.ts';
import { type RunningPlatform, startPlatform } from './server-process.ts';

/** Runs the platform until a signal stops it, or the command after `--` ends. */
export async function runPlatform(
  context: CommandContext,
  options: DevOptions,
  command: readonly string[],
): Promise<void> {
  const { io } = context;
  const seed = options.seed === undefined ? null : await readSeed(io, options.seed);
  const script =
    options.server === undefined
      ? await findServer(context, options.yes ?? false)
      : scriptAt(resolve(io.cwd, options.server));
  const readyFile = options.readyFile === undefined ? null : resolve(io.cwd, options.readyFile);
  if (readyFile !== null) await removeReadyFile(readyFile);
  const stopping = stopOnSignals();
  const fresh = options.fresh ? await mkdtemp(join(tmpdir(), 'plat-dev-')) : null;
  try {
    const dataDir = fresh ?? resolve(io.cwd, io.env['PLAT_DATA_DIR'] || '.plat');
    const platform = await startPlatform(context, { script, dataDir, command, ...options }, stopping.signal);
    try {
      await serve(context, platform, { seed, readyFile, command }, stopping);
    } finally {
      await platform.stop();
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    stopping.release();
    await Promise.all([
      readyFile === null ? undefined : removeReadyFile(readyFile),
      fresh === null ? undefined : rm(fresh, { recursive: true, force: true }),
    ]);
  }
}

interface Serving {
  readonly seed: Seed | null;
  readonly readyFile: string | null;
  readonly command: readonly string[];
}

async function serve(
  context: CommandContext,
  platform: RunningPlatform,
  { seed, readyFile, command }: Serving,
  stopping: Stopping,
): Promise<void> {
  const { io, trace, flags } = context;
  if (seed) {
    const client = await clientOf(context, { baseUrl: platform.baseUrl, credential: platform.apiKey });
    try {
      await createSeed(context, client, seed);
    } finally {
      client.close();
    }
  }
  stopping.signal.throwIfAborted();
  const env = { PLAT_BASE_URL: platform.baseUrl, PLAT_API_KEY: platform.apiKey };
  const stdout = flags.json ? io.stderr : io.stdout;
  await printReady(context, platform, { readyFile, isResult: command.length === 0 });
  const child = command.length === 0 ? null : await startChild(io, command, { env, stdout });
  try {
    const end = await firstToEnd(platform, child, stopping.signal);
    if (end === 'server') throw platform.failure();
    if (typeof end === 'number') trace.exitCode = end;
  } finally {
    const { reason } = stopping.signal;
    await child?.stop(reason instanceof Stopped ? reason.by : null);
  }
}

/** Resolves when the server or the command ends, or a signal arrives. */
function firstToEnd(
  { ended }: RunningPlatform,
  child: Child | null,
  signal: AbortSignal,
): Promise<'server' | 'signal' | number> {
  return Promise.race([
    ended.then(() => 'server' as const),
    new Promise<'signal'>((settle) => {
      if (signal.aborted) settle('signal');
      signal.addEventListener('abort', () => settle('signal'), { once: true });
    }),
    ...(child ? [child.ended] : []),
  ]);
}

/** Prints the addresses. The key stays in private files. */
async function printReady(
  context: CommandContext,
  { baseUrl: base_url, apiKey: api_key, tenantId: tenant_id, sandboxFile: sandbox_file }: RunningPlatform,
  { readyFile, isResult }: { readonly readyFile: string | null; readonly isResult: boolean },
): Promise<void> {
  const shown = { base_url, tenant_id, console_url: `${base_url}/console`, docs_url: `${base_url}/docs`, sandbox_file };
  if (readyFile !== null) await writeReadyFile(readyFile, { ...shown, api_key });
  if (context.flags.json) return print(context, `${jsonLine(shown)}\n`);
  if (isResult) await printResult(context, shown);
  await note(context, isResult ? `Ready. The key is in ${sandbox_file}. Ctrl-C stops.` : `Ready: ${base_url}`);
  const dataDir = dirname(sandbox_file);
  // Commands find the server of .plat by themselves.
  if (!isResult || dataDir === resolve(context.io.cwd, '.plat')) return;
  await note(context, `In another terminal, set PLAT_DATA_DIR=${dataDir}: the other commands then use this server.`);
}
