import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { at, root } from './paths.mjs';

/** Returns the environment of child processes: the workspace's tools and Node come first in PATH. */
export function toolEnv(extra = {}) {
  const path = `${at('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  return { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...extra, PATH: path };
}

/**
 * Runs a command to its end and returns its output. A command without a folder is searched in PATH.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>} `output` is stdout and stderr in the order they arrived
 */
export function runQuiet(command, args, { cwd = root, env = toolEnv(), onLine } = {}) {
  return new Promise((resolve) => {
    const { program, words, shell } = startOf(command, args);
    const child = spawn(program, words, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk) => {
      output += chunk;
      const line = String(chunk).trim().split('\n').at(-1);
      if (line) onLine?.(line);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ ok: false, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/**
 * Returns how to start a command. On Windows, npm and the tools of packages are `.cmd` scripts, which start only through a shell.
 * @param {string} command
 * @param {string[]} args
 * @param {string} [platform]
 */
export function startOf(command, args, platform = process.platform) {
  if (platform !== 'win32' || /[\\/]/.test(command)) return { program: command, words: args, shell: false };
  const quoted = args.map((arg) => (/[\s"&|<>^]/.test(arg) ? `"${arg.replaceAll('"', '""')}"` : arg));
  return { program: [command, ...quoted].join(' '), words: [], shell: true };
}

/**
 * Runs a Node process in this terminal until it ends, and forwards signals to it.
 * @param {string} binary the Node to run
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code; 128 + the signal's number when a signal ended it
 */
export function runForeground(binary, args, env = toolEnv()) {
  return new Promise((resolve, reject) => {
    // The IPC channel closes when this process ends in any way, kill -9 included. The child then exits.
    const watchdog = new URL('./exit-with-parent.mjs', import.meta.url).href;
    const child = spawn(binary, ['--import', watchdog, ...args], {
      cwd: root,
      env,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    // A terminal sends Ctrl-C to the whole process group, so the child has received it. A second SIGINT would stop it at once.
    const onInterrupt = () => process.stdin.isTTY || child.kill('SIGINT');
    const onTerminate = () => child.kill('SIGTERM');
    process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
    const watch = whenOrphaned(onTerminate);
    child.on('error', (error) => {
      clearInterval(watch);
      reject(error);
    });
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Calls `act` when npm was killed: this process then has another parent. Without npm an orphan may be intended. */
function whenOrphaned(act) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  return setInterval(() => process.ppid !== parent && act(), 500);
}
