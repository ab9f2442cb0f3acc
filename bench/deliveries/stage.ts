import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { type BenchDatabase, startDatabase } from '../lib/database.ts';
import {
  type PlatProcess,
  type PlatServer,
  type PlatServerOptions,
  startPlatServer,
  startPlatWorker,
} from '../lib/plat-server.ts';

/** Parts of a measurement: a database, the server, and the sending processes. */
export interface Stage {
  readonly database: BenchDatabase;
  readonly connection: Connection;
  readonly server: PlatServer;
  /** The sending processes: the server itself, or its workers. */
  readonly senders: readonly PlatProcess[];
  /** Registers a clean-up that runs before the earlier ones. */
  defer(stop: () => unknown): void;
}

interface StageOptions extends Pick<PlatServerOptions, 'env' | 'nodeFlags'> {
  /** Number of workers; 0: the server sends. */
  readonly workers?: number;
}

const SHARDS = 64;

/** Sets up a fresh database with the server, and removes both after `play`. */
export async function onStage<T>(
  { workers = 0, env = {}, nodeFlags = [] }: StageOptions,
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const folder = tempFolder('bench');
  const stopping: (() => unknown)[] = [() => folder.remove()];
  try {
    const database = await startDatabase({ durable: true });
    stopping.unshift(() => database.stop());
    const options = { databaseUrl: database.url, dataDir: folder.path, env, nodeFlags };
    const apart = workers > 0 ? { PLAT_DISPATCH: 'false' } : {};
    const server = await startPlatServer({ ...options, env: { ...env, ...apart } });
    stopping.unshift(() => server.stop());
    const senders: PlatProcess[] = workers > 0 ? [] : [server];
    for (let n = 0; n < workers; n++) {
      const worker = await startPlatWorker(options);
      stopping.unshift(() => worker.stop());
      senders.push(worker);
    }
    const connection = await createConnection({ uri: database.url });
    stopping.unshift(() => connection.end());
    while (!(await isShared(connection, senders.length))) await pause(50);
    const defer = (stop: () => unknown): void => void stopping.unshift(stop);
    return await play({ database, connection, server, senders, defer });
  } finally {
    for (const stop of stopping) await stop();
  }
}

/** Returns true when the shards are divided equally among this many processes. */
async function isShared(connection: Connection, processes: number): Promise<boolean> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT COUNT(*) AS held FROM shard_leases WHERE owner IS NOT NULL GROUP BY owner',
  );
  return rows.length === processes && rows.every((row) => row['held'] === SHARDS / processes);
}

/** Returns addresses of this many hosts, all of them this machine (on Linux). */
export function hostUrls(count: number, port: number, path: string): string[] {
  return Array.from({ length: count }, (_, n) => `http://127.0.${Math.floor(n / 250)}.${(n % 250) + 1}:${port}${path}`);
}
