import { randomBytes } from 'node:crypto';
import { createTestServer } from '@plat/server/testing';
import { type Api, apiOf } from '../support/api.ts';
import { startBreakableLine } from '../support/breakable-line.ts';
import { createDatabase, type DatabaseServer, databaseUrl } from '../support/database-server.ts';
import { startGalera } from '../support/galera.ts';
import { startGroupReplication } from '../support/group-replication.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startRedis } from '../support/redis.ts';
import { startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Drill, DrillResult } from './drill.ts';
import { measureFault } from './steady-load.ts';

const SWITCH_MS = 2_000;
const DEAD_MS = 5_000;

/** A planned switch: the node in use leaves the cluster in an orderly way. */
export const galeraSwitch: Drill = {
  summary: 'Galera: the node in use is stopped in an orderly way; 503 for at most 2 s',
  async run() {
    const cluster = await startGalera();
    const [first] = cluster.nodes;
    await createDatabase(first, 'plat');
    return onServer({ DATABASE_URL: urlOf(cluster.nodes) }, cluster, (api) =>
      measureFault({ title: 'Galera, planned switch', api, targetMs: SWITCH_MS, inject: () => first.stop() }),
    );
  },
};

/** A planned switch: another member becomes the primary. */
export const groupReplicationSwitch: Drill = {
  summary: 'MySQL Group Replication: another member becomes the primary; 503 for at most 2 s',
  async run() {
    const group = await startGroupReplication();
    const [first, second] = group.nodes;
    await createDatabase(first, 'plat');
    return onServer({ DATABASE_URL: urlOf(group.nodes) }, group, (api) =>
      measureFault({
        ...{ title: 'MySQL Group Replication, planned switch', api, targetMs: SWITCH_MS },
        inject: () => group.makePrimary(second),
      }),
    );
  },
};

/** The connections of the pool lead nowhere; new ones work, as after a failover behind one address. */
export const deadConnections: Drill = {
  summary: 'MariaDB: all open connections lead nowhere; every request succeeds again after at most 5 s',
  async run() {
    const database = await startMariadb();
    await createDatabase(database, 'plat');
    const line = await startBreakableLine(database.host, database.port);
    const url = databaseUrl({ ...database, port: line.port }, 'plat');
    return onServer({ DATABASE_URL: url }, database, (api) =>
      measureFault({
        ...{ title: 'connections that lead nowhere', api, targetMs: DEAD_MS },
        inject: async () => line.freeze(),
      }),
    );
  },
};

/** Redis keeps its connections and answers nothing. */
export const redisFrozen: Drill = {
  summary: 'Redis is frozen for 15 s: no request fails',
  async run() {
    const database = await startMariadb();
    await createDatabase(database, 'plat');
    const redis = await startRedis();
    const env = { DATABASE_URL: databaseUrl(database, 'plat'), REDIS_URL: redis.url };
    const stop = async () => {
      process.kill(redis.pid, 'SIGCONT');
      await Promise.all([redis.stop(), database.stop()]);
    };
    return onServer(env, { stop }, (api) =>
      measureFault({
        ...{ title: 'a frozen Redis', api, targetMs: 0 },
        inject: async () => void process.kill(redis.pid, 'SIGSTOP'),
      }),
    );
  },
};

/** Runs a measurement on a server process, and stops both afterwards. */
async function onServer(
  given: { readonly DATABASE_URL: string; readonly REDIS_URL?: string },
  parts: { stop(): Promise<unknown> },
  measure: (api: Api) => Promise<DrillResult>,
): Promise<DrillResult> {
  const env = { ...given, PLAT_MASTER_KEY: randomBytes(32).toString('base64'), PLAT_RATE_LIMIT: '1000000' };
  const seeder = await createTestServer({ databaseUrl: env.DATABASE_URL, env: { ...env, PLAT_DISPATCH: 'false' } });
  const { apiKey } = await seeder.createTenant({ sandbox: false });
  await seeder.close();
  const server = await startServerProcess(env, `${tempFolder('switch').path}/server`);
  try {
    return await measure(apiOf(server.baseUrl, apiKey));
  } finally {
    await server.stop();
    await parts.stop();
  }
}

/** Returns the `DATABASE_URL` of several nodes with one account. */
function urlOf(nodes: readonly DatabaseServer[]): string {
  const [first] = nodes;
  if (!first) throw new Error('a cluster has nodes');
  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(',');
  return databaseUrl(first, 'plat').replace(`${first.host}:${first.port}`, hosts);
}
