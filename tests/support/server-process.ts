import { join } from 'node:path';
import { type NodeProcess, spawnNode } from './process.ts';
import { tempFolder } from './temp-folder.ts';

/** A server in a process of its own, as an operator runs it. */
export interface ServerProcess extends NodeProcess {
  readonly baseUrl: string;
  readonly dataDir: string;
}

/** Starts `plat-server` from the sources on a free port and waits until it serves. */
export async function startServerProcess(
  env: Readonly<Record<string, string>>,
  dataDir?: string,
): Promise<ServerProcess> {
  const folder = dataDir ?? join(tempFolder('server').path, 'data');
  const running = spawnNode('packages/server/src/main.ts', {
    env: { PORT: '0', PLAT_DATA_DIR: folder, LOG_LEVEL: 'warn', LOG_FORMAT: 'json', ...env },
  });
  const [, baseUrl = ''] = await running.waitFor(/Base URL +(http:\S+)/);
  return Object.assign(running, { baseUrl, dataDir: folder });
}
