import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tests/support/free-port.ts';
import { guard } from '../../tests/support/guard.ts';

/** A process of the reference server. */
export interface PlatProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/** The reference server in its own process, as an operator runs it. */
export interface PlatServer extends PlatProcess {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tenantId: string;
}

export interface PlatServerOptions {
  readonly databaseUrl: string;
  /** Servers that share a database also share this folder: it contains the sandbox's key. */
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Flags for Node, such as `--cpu-prof`. */
  readonly nodeFlags?: readonly string[];
}

const ENTRY = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/** Starts the server with its JSON log written to /dev/null, and waits until it is ready. */
export async function startPlatServer({
  databaseUrl,
  dataDir,
  env = {},
  nodeFlags = [],
}: PlatServerOptions): Promise<PlatServer> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const started = await start([], baseUrl, { databaseUrl, dataDir, nodeFlags, env: { PORT: String(port), ...env } });
  return { ...started, baseUrl, ...(await readSandbox(dataDir, baseUrl)) };
}

/**
 * Starts the server in production mode. A development server must have run on its database and data folder before, which
 * created the tables, the sandbox and the master key.
 */
export async function startProductionServer({
  env = {},
  ...options
}: PlatServerOptions): Promise<PlatProcess & { readonly baseUrl: string }> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const masterKey = readFileSync(join(options.dataDir, 'master.key'), 'utf8').trim();
  const settings = { NODE_ENV: 'production', PORT: String(port), PLAT_BASE_URL: baseUrl, PLAT_MASTER_KEY: masterKey };
  return { baseUrl, ...(await start([], baseUrl, { ...options, env: { ...settings, ...env } })) };
}

/** Starts a worker process. */
export async function startPlatWorker({ env = {}, ...options }: PlatServerOptions): Promise<PlatProcess> {
  const port = await freePort();
  return start(['worker'], `http://127.0.0.1:${port}`, { ...options, env: { PLAT_WORKER_PORT: String(port), ...env } });
}

async function start(
  command: readonly string[],
  baseUrl: string,
  { databaseUrl, dataDir, env, nodeFlags = [] }: PlatServerOptions,
): Promise<PlatProcess> {
  const flags = ['--conditions=@plat/source', '--no-warnings', ...nodeFlags];
  const child = spawn(process.execPath, [...flags, ENTRY, ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PLAT_DATA_DIR: dataDir,
      PLAT_RATE_LIMIT: '1000000000',
      PLAT_ADDRESS_RATE_LIMIT: '1000000000',
      PLAT_SANDBOX_WRITES: '1000000000',
      PLAT_QUOTAS: 'clients=100000000',
      PLAT_SANDBOX_QUOTAS: 'clients=100000000,webhook_endpoints=50',
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'info',
      ...env,
    },
  });
  const pid = child.pid ?? 0;
  const release = guard(pid);
  const exited = once(child, 'exit').then(release);
  while (!(await isReady(baseUrl))) {
    if (child.exitCode !== null) throw new Error('the server ended before it was ready');
    await pause(50);
  }
  return {
    pid,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`)).ok;
  } catch {
    return false;
  }
}

/** The file is written a moment after the server listens. */
async function readSandbox(dataDir: string, baseUrl: string): Promise<{ apiKey: string; tenantId: string }> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      const file = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'));
      if (file.base_url === baseUrl) return { apiKey: file.api_key, tenantId: file.tenant_id };
    } catch {
      // The file does not exist yet.
    }
    await pause(50);
  }
  throw new Error('the server wrote no sandbox.json');
}
