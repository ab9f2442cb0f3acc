import { startChild } from '../lib/child.ts';
import type { BenchDatabase } from '../lib/database.ts';
import { startPlatServer } from '../lib/plat-server.ts';
import type { BenchTenant } from '../lib/tenant.ts';

/** One of the compared servers. */
export interface Server {
  readonly name: string;
  readonly pid: number;
  readonly baseUrl: string;
  stop(): Promise<void>;
}

export const NAMES = {
  info: 'reference server',
  warn: 'reference server, LOG_LEVEL=warn',
  bare: 'bare node:http + mysql2',
  express: 'Express 5 + mysql2',
} as const;

/** The reference server, twice, and the two servers it is compared with: four processes on one database. */
export async function startServers(database: BenchDatabase, dataDir: string) {
  // One after the other: the second reads the key that the first generated.
  const info = await startPlatServer({ databaseUrl: database.url, dataDir });
  const warn = await startPlatServer({ databaseUrl: database.url, dataDir, env: { LOG_LEVEL: 'warn' } });
  const [bare, express] = await Promise.all([
    startChild<number>(new URL('./bare-server.ts', import.meta.url), [database.url]),
    startChild<number>(new URL('./express-server.ts', import.meta.url), [database.url]),
  ]);
  const servers: readonly Server[] = [
    { ...info, name: NAMES.info },
    { ...warn, name: NAMES.warn },
    { ...bare, name: NAMES.bare, baseUrl: `http://127.0.0.1:${bare.ready}` },
    { ...express, name: NAMES.express, baseUrl: `http://127.0.0.1:${express.ready}` },
  ];
  const sandbox: BenchTenant = { id: info.tenantId, apiKey: info.apiKey };
  return { servers, sandbox };
}
