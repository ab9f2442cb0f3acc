import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { at, root } from './paths.mjs';

/** The environment of everything started here: the workspace's own tools, and its Node, come first. */
export function toolEnv(extra = {}) {
  const path = `${at('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  return { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...extra, PATH: path };
}

/**
 * Runs a command to its end and keeps what it prints.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, onLine?: (line: string) => void }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>} `output` is stdout and stderr in the order they came
 */
export function runQuiet(command, args, { cwd = root, env = toolEnv(), shell = false, onLine } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
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
 * Hands the terminal to a Node process until it ends, passing signals on.
 * @param {string} binary the Node to run
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code; 128 + the signal's number when a signal ended it
 */
export function runForeground(binary, args, env = toolEnv()) {
  return new Promise((resolve, reject) => {
    // The channel is the leash: when this process dies, however it dies, the child sees it close and stops.
    const leash = new URL('./leash.mjs', import.meta.url).href;
    const child = spawn(binary, ['--import', leash, ...args], {
      cwd: root,
      env,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    // A terminal sends Ctrl-C to the whole group, so the child has it already; a second one would mean "at once".
    const onInterrupt = () => process.stdin.isTTY || child.kill('SIGINT');
    const onTerminate = () => child.kill('SIGTERM');
    process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
    const watch = whenOrphaned(onTerminate);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** npm, killed outright, tells nobody: what it ran finds out by having another parent. Others may leave us on purpose. */
function whenOrphaned(act) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  return setInterval(() => process.ppid !== parent && act(), 500);
}
