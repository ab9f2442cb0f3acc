import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { run } from '../run.ts';

/** Result of a command. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Content of stdin. */
  readonly stdin?: string;
}

interface Inside {
  /** Makes the streams terminals of this width. */
  readonly columns?: number;
  /** Makes stdout a pipe nevertheless. */
  readonly piped?: boolean;
  /** Replaces waiting; no time passes. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** A key in the form of a sandbox key. No server accepts it. */
export const KEY = 'plat_test_0123456789abcdef';

/** Returns an environment with a server and a key. */
export function envFor({ baseUrl }: { readonly baseUrl: string }, key = KEY): Readonly<Record<string, string>> {
  return { PLAT_BASE_URL: baseUrl, PLAT_API_KEY: key };
}

/** Runs a command in this process on separate streams. */
export async function plat(
  args: readonly string[],
  { env = {}, cwd = emptyFolder(), stdin = '', columns, piped = false, wait }: ProcessOptions & Inside = {},
): Promise<CliResult> {
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const [stdout, stderr] = [capture(), capture()];
  const input = Object.assign(new PassThrough(), terminal);
  input.end(stdin);
  const code = await run(args, {
    stdin: input,
    stdout: Object.assign(stdout.stream, piped ? {} : terminal),
    stderr: Object.assign(stderr.stream, terminal),
    env,
    cwd,
    ...(wait && { wait }),
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Starts the command as a process from its source, without the environment of this process. */
export function spawnPlat(
  args: readonly string[],
  { env = {}, cwd = emptyFolder(), stdout = 'pipe' }: ProcessOptions & { readonly stdout?: 'pipe' | number } = {},
): ChildProcess {
  return spawn(process.execPath, ['--conditions=@plat/source', MAIN, ...args], {
    env: { ...env },
    cwd,
    stdio: ['pipe', stdout, 'pipe'],
  });
}

/** Runs the command as a process until it ends. Without `stdin`, stdin is closed. */
export async function platProcess(args: readonly string[], options: ProcessOptions = {}): Promise<CliResult> {
  const child = spawnPlat(args, options);
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin?.end(options.stdin ?? '');
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

/** Creates an empty folder without a sandbox above it, for the duration of a test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plat-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

function capture() {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return { stream, text: () => text };
}
