import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Orders } from './acting-process.ts';

/** A running process of an app. */
export interface ActingProcess {
  readonly pid: number;
  /** Starts its calls. */
  go(): void;
  /** Resolves when the process has printed this line. */
  says(line: string): Promise<void>;
  /** Returns the results of its calls: `ok`, or the code of the error. */
  results(): Promise<readonly string[]>;
  /** Sends SIGKILL, and waits until the process has ended. */
  kill9(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./acting-process.ts', import.meta.url));

/** Starts a process and waits until it is ready to make its calls. */
export async function startActing(orders: Orders): Promise<ActingProcess> {
  const flags = ['--conditions=@plat/source', '--no-warnings'];
  const child = spawn(process.execPath, [...flags, PROGRAM, JSON.stringify(orders)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => end(child));
  let printed = '';
  const look = new Set<() => void>();
  const note = (chunk: Buffer) => {
    printed += chunk;
    for (const each of look) each();
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  child.stdin.on('error', () => {});
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const says = (line: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const see = () => {
        if (printed.split('\n').includes(line)) resolve();
      };
      look.add(see);
      void exited.then(() => reject(new Error(`It ended without saying ${line}: ${printed}`)));
      see();
    });
  await says('ready');
  return {
    pid: child.pid ?? 0,
    go: () => void child.stdin.write('go\n'),
    says,
    async results() {
      await exited;
      return JSON.parse(printed.split('\n').find((line) => line.startsWith('[')) ?? `no results: ${printed}`);
    },
    async kill9() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Creates a temporary folder for the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plat-sdk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function end(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
