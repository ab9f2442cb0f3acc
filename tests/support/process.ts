import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPrograms } from './bundled-programs.ts';
import { guard } from './guard.ts';

/** Root of the repository. Entry paths are relative to it. */
export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Shared by all processes of all runs: they start in two thirds of the time. */
const NODE_COMPILE_CACHE = resolve(repository, 'node_modules/.cache/plat/compiled');

/** With room for young objects (in MiB), a process collects no garbage while it starts. */
const ROOMY = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

/** Starting a program from its bundle takes less than half the CPU time. */
const programs = await bundledPrograms();

export interface Exit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface NodeProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** Returns its output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves after it has ended and all its output has arrived. */
  readonly exited: Promise<Exit>;
  /**
   * Waits until its stdout or stderr matches.
   * @param withinMs timeout in ms; 60 s by default
   * @throws Error with its output when it ends, or the time is over, before that
   */
  waitFor(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  /** Sends SIGTERM, as a supervisor does, and waits for the end; SIGKILL after 60 s. */
  stop(): Promise<Exit>;
  /** Sends SIGKILL: no handler runs. */
  kill9(): Promise<Exit>;
}

export interface SpawnOptions {
  args?: readonly string[];
  /** Added to PATH, HOME, TMPDIR and the compile cache. Other variables of this process are not inherited. */
  env?: Readonly<Record<string, string>>;
  /** The repository's root by default. */
  cwd?: string;
  /** A descriptor for its stdout, which this process then does not see. */
  stdout?: number;
}

/** Runs a TypeScript or JavaScript file of this repository in a new Node process. It needs no build. */
export function spawnNode(entry: string, { args = [], ...options }: SpawnOptions = {}): NodeProcess {
  const flags = ['--conditions=@plat/source', '--no-warnings', ...ROOMY, ...recordingFlags()];
  const file = programs.get(entry) ?? resolve(repository, entry);
  return spawnProgram(process.execPath, { ...options, args: [...flags, file, ...args] }, entry);
}

/** Runs a program in a new process. `name` names it in errors. */
export function spawnProgram(
  program: string,
  { args = [], env = {}, cwd = repository, stdout }: SpawnOptions = {},
  name = program,
): NodeProcess {
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited(), NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams;
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  const release = guard(pid);
  const printed = { out: '', err: '' };
  const changed = new Set<() => void>();
  const keep = (stream: 'out' | 'err') => (chunk: string) => {
    printed[stream] += chunk;
    for (const look of [...changed]) look();
  };
  if (stdout === undefined) child.stdout.setEncoding('utf8').on('data', keep('out'));
  child.stderr.setEncoding('utf8').on('data', keep('err'));
  // A child that does not read its input does not fail the test.
  child.stdin.on('error', () => {});
  const exited = new Promise<Exit>((done) => {
    child.on('close', (code, signal) => {
      release();
      done({ code, signal });
      for (const look of [...changed]) look();
    });
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  const waitFor = (pattern: RegExp, withinMs = 60_000): Promise<RegExpExecArray> =>
    new Promise((found, missed) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        changed.delete(look);
        finish();
      };
      const giveUp = (why: string): void =>
        settle(() => missed(new Error(`${name} ${why} before it printed ${pattern}:\n${printed.out}${printed.err}`)));
      const look = (): void => {
        const match = new RegExp(pattern).exec(printed.out) ?? new RegExp(pattern).exec(printed.err);
        if (match !== null) settle(() => found(match));
      };
      const timer = setTimeout(() => giveUp(`ran for ${withinMs} ms`), withinMs);
      changed.add(look);
      look();
      void exited.then(({ code, signal }) => giveUp(`ended (${signal ?? code})`));
    });

  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    if (!hasEnded()) child.kill(signal);
    const force = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const exit = await exited;
    clearTimeout(force);
    return exit;
  };

  return {
    child,
    pid,
    stdout: () => printed.out,
    stderr: () => printed.err,
    exited,
    waitFor,
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
  };
}

/** In stories on MySQL and MariaDB, the statements of the program are checked. */
function recordingFlags(): readonly string[] {
  if (process.env['STATEMENTS_FOLDER'] === undefined) return [];
  return [`--import=${new URL('record-statements.mjs', import.meta.url).href}`];
}

function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'USERPROFILE', 'TEMP', 'STATEMENTS_FOLDER'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
