import { join } from 'node:path';
import { type NodeProcess, spawnNode } from './process.ts';
import { tempFolder } from './temp-folder.ts';

/** A server in its own process, as an operator runs it. */
export interface ServerProcess extends NodeProcess {
  readonly baseUrl: string;
  readonly dataDir: string;
}

type Environment = Readonly<Record<string, string>>;

/** Starts `plat-server` from the sources on a free port with these arguments, and waits until it serves. */
export async function startServerProcess(
  env: Environment,
  dataDir = join(tempFolder('server').path, 'data'),
  ...args: readonly string[]
): Promise<ServerProcess> {
  const running = spawnOperated(env, dataDir, args);
  const [, baseUrl = ''] = await running.waitFor(/(?:Base URL +|"url":")(http:[^\s"]+)/, START_MS);
  return Object.assign(running, { baseUrl, dataDir });
}

/** Starts `plat-server worker` from the sources and waits until it works. */
export async function startWorkerProcess(
  env: Environment,
  dataDir: string,
  ...args: readonly string[]
): Promise<NodeProcess> {
  const running = spawnOperated(env, dataDir, ['worker', ...args]);
  await running.waitFor(/The worker is running.*\n|"msg":"(?:ready|listening)"/, START_MS);
  return running;
}

/** Returns the environment that shifts the clock of a process by an offset in ms. */
export function clockApart(ms: number): Environment {
  const module = new URL('clock-apart.ts', import.meta.url).href;
  return { CLOCK_APART_MS: String(ms), NODE_OPTIONS: `--import=${module}` };
}

/** Timeout in ms: several processes start at once on a busy machine. */
const START_MS = 60_000;

/** Starts `plat-server` with these arguments, and does not wait. */
export function spawnOperated(env: Environment, dataDir: string, args: readonly string[]): NodeProcess {
  return spawnNode('packages/server/src/main.ts', {
    args,
    env: {
      ...{ PORT: '0', PLAT_DATA_DIR: dataDir, LOG_FORMAT: 'json' },
      // In production, the address of the server is in its log.
      LOG_LEVEL: env['NODE_ENV'] === 'production' ? 'info' : 'warn',
      // All requests of a test come from one address.
      PLAT_ADDRESS_RATE_LIMIT: '1000000',
      ...env,
    },
  });
}
