import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { findProgram } from '../support/find-servers.ts';
import { repository } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { BASE_PROGRAMS, makeBaseImages } from './base-images.ts';

const run = promisify(execFile);

/** Returns true if this machine has a Docker engine that this process may start, and the programs of the base images. */
export const hasEngine = (): boolean =>
  mayMount() && ['dockerd', 'docker-compose', 'iptables', 'dpkg', ...BASE_PROGRAMS].every(findProgram);

/** An engine needs the capability CAP_SYS_ADMIN, which root lacks in most containers. */
function mayMount(): boolean {
  if (process.platform !== 'linux') return false;
  const [, effective = '0'] = /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return (BigInt(`0x${effective}`) & (1n << 21n)) !== 0n;
}

/** A private Docker engine. */
export interface Engine {
  /** Runs `docker` and resolves to its stdout. @throws Error with its output */
  docker(...args: readonly string[]): Promise<string>;
  /** Runs `docker-compose` with a file. @throws Error with its output */
  compose(file: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string>;
  /** Builds an image from a folder. */
  build(tag: string, folder: string): Promise<void>;
  stop(): Promise<void>;
}

/** Images of the engine stay here, so that only the first run on a machine makes the base images. */
const DATA_ROOT = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'plat-tests', 'docker');

/**
 * Starts an engine with its own folders and socket, and makes the base images that Dockerfile and compose.yaml name. No image is
 * fetched.
 * @throws Error when the engine cannot be started here
 */
export async function startEngine(): Promise<Engine> {
  const folder = tempFolder('docker');
  const host = `unix://${join(folder.path, 'sock')}`;
  const env = { ...process.env, DOCKER_HOST: host, DOCKER_BUILDKIT: '1' };
  // Debian's client, which has the version of the engine.
  const client = existsSync('/usr/bin/docker') ? '/usr/bin/docker' : 'docker';
  const docker = async (...args: readonly string[]): Promise<string> => output(client, args, env);
  mkdirSync(DATA_ROOT, { recursive: true });
  const daemon: Daemon = await startDaemon({
    name: 'Docker',
    command: findProgram('dockerd') ?? 'dockerd',
    args: [
      // Mounts of ended containers can outlive the engine, so this folder is not temporary.
      ...['--host', host, '--data-root', DATA_ROOT, '--exec-root', `${DATA_ROOT}-run`],
      ...['--pidfile', join(folder.path, 'pid')],
      // Above the hard limit of this process, no container starts.
      ...['--default-ulimit', 'nofile=4096:8192'],
    ],
    folder,
    ping: () => docker('version'),
  });
  const engine: Engine = {
    docker,
    compose: (file, given, ...args) =>
      output('docker-compose', ['--project-name', 'plat', '--file', file, ...args], { ...env, ...given }),
    build: async (tag, path) => void (await docker('build', '--quiet', '--network', 'host', '--tag', tag, path)),
    stop: () => daemon.stop(),
  };
  try {
    await makeBaseImages(docker, folder.path);
    return engine;
  } catch (error) {
    await daemon.stop();
    throw error;
  }
}

async function output(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await run(command, args, { env, cwd: repository, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}\n${`${stdout}${stderr}`.slice(-4_000)}`, { cause: error });
  }
}

/** Writes compose.yaml with the built image instead of the folder to build it from. Returns its text. */
export function composeText(image: string): string {
  return readFileSync(join(repository, 'compose.yaml'), 'utf8').replaceAll(/build: .+$/gm, `image: ${image}`);
}
