import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { CommandContext } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { safeMessage } from '../terminal/printable.ts';
import { isObject } from '../terminal/value.ts';
import { type DevOptions, databaseUrl, portFor } from './dev-options.ts';
import { serverEnv } from './server-env.ts';

/** A running server process. */
export interface RunningPlatform {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tenantId: string;
  readonly sandboxFile: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Returns the error for an unexpected end. */
  failure(): CliError;
  /** Stops the process. Running work has ten seconds to finish. */
  stop(): Promise<void>;
}

interface Start extends DevOptions {
  readonly script: string;
  readonly dataDir: string;
  readonly command: readonly string[];
}

const GRACE_MS = 10_000;
/** Characters of output that are kept for error messages. */
const TAIL = 4096;

/**
 * Starts the server and waits until it is ready. The server exits with this process: it watches the IPC channel
 * (parent-process watchdog).
 * @throws {@link CliError} `SERVER_FAILED`
 * @throws the reason of the signal
 */
export async function startPlatform(
  context: CommandContext,
  start: Start,
  signal: AbortSignal,
): Promise<RunningPlatform> {
  const { io, flags } = context;
  const env = serverEnv(io, {
    dataDir: start.dataDir,
    port: portFor(start.port, start.command),
    databaseUrl: start.db === undefined ? null : databaseUrl(start.db, io.cwd),
    deterministic: start.deterministic ?? null,
    ephemeral: start.fresh === true && start.db === undefined,
    quiet: start.command.length > 0,
  });
  const server = spawn(process.execPath, [...process.execArgv, start.script, 'serve', '--announce'], {
    cwd: io.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C does not reach the server: the command handles it first, and the server stops after it. On Windows the server
    // has no console then, and would otherwise take the end of the channel for a second signal, which ends it at once.
    detached: true,
    windowsHide: true,
  });
  let tail = '';
  for (const output of [server.stdout, server.stderr]) {
    output?.setEncoding('utf8').on('data', (said: string) => {
      const text = withOurOption(said);
      tail = (tail + text).slice(-TAIL);
      // With --json stderr holds errors only.
      if (!flags.json) io.stderr.write(text);
    });
  }
  const ended = new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
    server.once('error', () => resolve());
  });
  const failure = (): CliError =>
    new CliError(
      'SERVER_FAILED',
      `The server ended (${server.signalCode ?? server.exitCode ?? 'it could not be started'})`,
      {
        hint: lastErrorIn(tail),
      },
    );
  const stop = () => stopServer(server, ended);
  try {
    const ready = await Promise.race([readiness(server), ended, aborted(signal)]);
    if (!ready) throw failure();
    return { ...(await readReady(ready)), ended, failure, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves to the ready message of the server. */
function readiness(server: ChildProcess): Promise<object> {
  return new Promise((resolve) => {
    server.on('message', (message) => {
      if (isObject(message) && message['type'] === 'plat-server:ready') resolve(message);
    });
  });
}

async function readReady(
  message: object,
): Promise<Pick<RunningPlatform, 'baseUrl' | 'apiKey' | 'tenantId' | 'sandboxFile'>> {
  const {
    base_url: baseUrl,
    tenant_id: tenantId,
    sandbox_file: sandboxFile,
  } = { ...message } as Record<string, unknown>;
  if (typeof baseUrl === 'string' && typeof tenantId === 'string' && typeof sandboxFile === 'string') {
    const sandbox: unknown = JSON.parse(await readFile(sandboxFile, 'utf8'));
    const apiKey = isObject(sandbox) ? sandbox['api_key'] : undefined;
    if (typeof apiKey === 'string') return { baseUrl, apiKey, tenantId, sandboxFile };
  }
  throw new CliError('SERVER_FAILED', 'The server did not report its address', {
    next: 'Install @plat/server in the version of this CLI: plat version.',
  });
}

async function stopServer(server: ChildProcess, ended: Promise<void>): Promise<void> {
  // The server stops in order when its channel closes. Windows has no signal for that: `kill` would end it at once.
  if (process.platform !== 'win32') server.kill('SIGTERM');
  else if (server.connected) server.disconnect();
  const force = setTimeout(() => server.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(force);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Replaces the name of the port variable in messages of the server by that of our option. */
function withOurOption(text: string): string {
  return text.replaceAll('set PORT to', 'set --port to');
}

/** Returns the error message at the end of the output, without a stack trace. */
function lastErrorIn(text: string): string | undefined {
  const lines = text.trim().split('\n');
  const line = lines.findLast((each) => each.startsWith('plat-server: ')) ?? lines.at(-1);
  return line ? safeMessage(line) : undefined;
}
