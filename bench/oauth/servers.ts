import { startChild } from '../lib/child.ts';
import type { BenchDatabase } from '../lib/database.ts';
import { startPlatServer, startProductionServer } from '../lib/plat-server.ts';
import { platSupply, type Supply } from './supply.ts';

/** One of the compared servers. */
export interface Server {
  readonly name: string;
  readonly pid: number;
  /** Addresses of the endpoints. */
  readonly token: string;
  readonly introspection: string;
  /** Creates grants with tokens of this server. */
  supply(count: number): Promise<Supply>;
  stop(): Promise<void>;
}

export const NAMES = {
  info: 'reference server',
  warn: 'reference server, LOG_LEVEL=warn',
  bare: 'bare node:http + mysql2',
  peer: 'oidc-provider, memory adapter',
} as const;

/** One app sends all measured requests. */
const UNLIMITED = { PLAT_APP_RATE_LIMIT: '1000000000' };

/** The reference server, twice, and the bare one on one database, and the peer: one process each. */
export async function startServers(database: BenchDatabase, dataDir: string): Promise<readonly Server[]> {
  const options = { databaseUrl: database.url, dataDir };
  const seeded = await startPlatServer(options);
  await seeded.stop();
  // In production, since the development mode keeps each request of an app in the request log.
  const [info, warn, bare, peer] = await Promise.all([
    startProductionServer({ ...options, env: UNLIMITED }),
    startProductionServer({ ...options, env: { ...UNLIMITED, LOG_LEVEL: 'warn' } }),
    startChild<number>(new URL('./bare-server.ts', import.meta.url), [database.url]),
    startChild<Supply | number>(new URL('./oidc-server.ts', import.meta.url)),
  ]);
  const supply = await platSupply(database.url, seeded.tenantId);
  const endpoints = (baseUrl: string) => ({
    token: `${baseUrl}/oauth/token`,
    introspection: `${baseUrl}/oauth/introspect`,
  });
  const peerUrl = `http://127.0.0.1:${peer.ready}`;
  return [
    { ...info, name: NAMES.info, ...endpoints(info.baseUrl), supply },
    { ...warn, name: NAMES.warn, ...endpoints(warn.baseUrl), supply },
    { ...bare, name: NAMES.bare, ...endpoints(`http://127.0.0.1:${bare.ready}`), supply },
    {
      ...peer,
      name: NAMES.peer,
      token: `${peerUrl}/token`,
      introspection: `${peerUrl}/token/introspection`,
      supply: async (count) => (await peer.ask(String(count))) as Supply,
    },
  ];
}
