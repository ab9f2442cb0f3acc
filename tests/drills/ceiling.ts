import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTestServer, selectOne, type TestServer } from '@plat/server/testing';
import { apiOf } from '../support/api.ts';
import { createDatabase, type DatabaseServer, databaseUrl } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';
import type { NodeProcess } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { cpuOf } from './cpu.ts';
import type { Drill, DrillResult } from './drill.ts';
import { goodputOf, type LoadRequest, type LoadResult, offerLoad } from './offer-load.ts';
import { startQuietly } from './served.ts';

const TENANTS = 20;
const CALLERS = 32;
/** Endpoints of each tenant. */
const ENDPOINTS = 5;
const DURABLE = [
  '--innodb-flush-log-at-trx-commit=1',
  '--innodb-doublewrite=1',
  '--innodb-flush-method=O_DIRECT',
  '--innodb-log-file-size=256M',
] as const;

interface Row {
  readonly what: string;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processors used by servers and workers, by the database, and by the load. */
  readonly cpus: readonly [platform: number, database: number, load: number];
}

interface World {
  readonly database: DatabaseServer;
  readonly env: Readonly<Record<string, string>>;
  readonly seeder: TestServer;
  readonly keys: readonly string[];
  readonly seconds: number;
}

/** Figures of one machine with a durable MariaDB: what one process does, what several do, and what the one writer takes. */
export const ceiling: Drill = {
  summary:
    'requests, events and deliveries a second of 1 and 2 servers on a durable MariaDB; --seconds 10 --folder /var/tmp',
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({
      args: [...args],
      options: { seconds: { type: 'string', default: '10' }, folder: { type: 'string', default: '/var/tmp' } },
    });
    const database = await startMariadb({ flags: DURABLE, parent: values.folder });
    await createDatabase(database, 'plat');
    const env = {
      DATABASE_URL: databaseUrl(database, 'plat'),
      PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
      PLAT_RATE_LIMIT: '100000000',
      PLAT_ADDRESS_RATE_LIMIT: '100000000',
      PLAT_HOUSEKEEPING: 'false',
      PLAT_QUOTAS: 'clients=100000000',
      PLAT_WEBHOOK_ALLOW: '127.0.0.0/8',
    };
    const seeder = await createTestServer({ databaseUrl: env.DATABASE_URL, env: { ...env, PLAT_DISPATCH: 'false' } });
    try {
      const keys: string[] = [];
      for (let i = 0; i < TENANTS; i++) keys.push((await seeder.createTenant({ sandbox: false })).apiKey);
      return { sound: true, report: await measure({ database, env, seeder, keys, seconds: Number(values.seconds) }) };
    } finally {
      await seeder.close();
      await database.stop();
    }
  },
};

async function measure(world: World): Promise<string> {
  const { database, env, seeder, keys } = world;
  const rows: Row[] = [];
  const servers = [await startQuietly({ ...env, PLAT_DISPATCH: 'false' })];
  const receiver = await startReceiver();
  const workers: NodeProcess[] = [];
  try {
    const ids: string[] = [];
    for (const key of keys) {
      const api = apiOf(servers[0]?.baseUrl ?? '', key);
      for (let i = 0; i < 20; i++) ids.push((await api('/v1/clients', { body: { name: 'Filled' } })).body.id);
    }
    const one = keys.map((key, i) => ({ method: 'GET', path: `/v1/clients/${ids[i * 20]}`, key }));
    const list = keys.map((key) => ({ method: 'GET', path: '/v1/clients?limit=20', key }));
    const create = keys.map((key) => ({ method: 'POST', path: '/v1/clients', key, body: { name: 'Created' } }));
    const mix = [one, list, one, list, create].flat();
    const load = async (what: string, requests: readonly LoadRequest[]): Promise<void> => {
      const plural = servers.length === 1 ? '1 server' : `${servers.length} servers`;
      rows.push(await timed(world, `${plural}: ${what}`, servers, requests));
    };
    await offerLoad({ port: servers[0]?.port ?? 0, requests: mix, seconds: 2, callers: CALLERS, connections: CALLERS });
    await load('read one client', one);
    await load('list 20 clients', list);
    const before = await sizeOf(seeder);
    await load('create a client', create);
    const after = await sizeOf(seeder);
    await load('four reads to one create', mix);
    servers.push(await startQuietly({ ...env, PLAT_DISPATCH: 'false' }));
    await load('list 20 clients', list);
    await load('create a client', create);
    await load('four reads to one create', mix);

    // A backlog: one endpoint of each tenant, then creates without a worker.
    for (const key of keys) {
      const api = apiOf(servers[0]?.baseUrl ?? '', key);
      for (let i = 0; i < ENDPOINTS; i++) {
        const url = `${receiver.url}/${key.slice(-8)}/${i}`;
        await api('/v1/webhooks/endpoints', { body: { url, events: ['client.created'] } });
      }
    }
    await load('create a client with 5 deliveries', create);
    await Promise.all(servers.map(({ server }) => server.stop()));
    for (const count of [1, 2]) {
      if (count === 2) await offerBacklog(world);
      const pids = [database.pid];
      while (workers.length < count) {
        workers.push(await startWorkerProcess({ ...env, LOG_LEVEL: 'warn' }, tempFolder('worker').path));
      }
      // Some are sent while the workers start.
      const due = await pendingOf(seeder);
      const from = performance.now();
      const [workerCpu, databaseCpu] = [cpuOf(workers.map(({ pid }) => pid)), cpuOf(pids)];
      while ((await pendingOf(seeder)) > 0) await pause(50);
      const seconds = (performance.now() - from) / 1000;
      rows.push({
        what: `${count} worker${count === 1 ? '' : 's'}: backlog of ${due}`,
        ...{ perSecond: due / seconds, p50: Number.NaN, p99: Number.NaN },
        cpus: [(cpuOf(workers.map(({ pid }) => pid)) - workerCpu) / seconds, (cpuOf(pids) - databaseCpu) / seconds, 0],
      });
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    }
    const perCreate = (after.bytes - before.bytes) / Math.max(1, after.clients - before.clients);
    return [
      'durable MariaDB on this machine          per second      p50      p99  CPUs: platform database load',
      ...rows.map(textOf),
      `disk of a created client (row, event, audit event, indexes): ${perCreate.toFixed(0)} bytes, from ${after.clients - before.clients} creates`,
    ].join('\n');
  } finally {
    await Promise.all([...servers.map(({ server }) => server.stop()), ...workers.map((worker) => worker.stop())]);
    await receiver.close();
  }
}

/** Creates clients of all tenants, whose deliveries wait for a worker. */
async function offerBacklog({ env, keys, seconds }: World): Promise<void> {
  const { server, port } = await startQuietly({ ...env, PLAT_DISPATCH: 'false' });
  const requests = keys.map((key) => ({ method: 'POST', path: '/v1/clients', key, body: { name: 'Created' } }));
  await offerLoad({ port, requests, seconds, callers: CALLERS, connections: CALLERS });
  await server.stop();
}

async function timed(
  { database, seconds }: World,
  what: string,
  servers: readonly { readonly port: number; readonly server: NodeProcess }[],
  requests: readonly LoadRequest[],
): Promise<Row> {
  const pids = servers.map(({ server }) => server.pid);
  const from = performance.now();
  const [platform, data] = [cpuOf(pids), cpuOf([database.pid])];
  const callers = CALLERS / servers.length;
  const results = await Promise.all(
    servers.map(({ port }) => offerLoad({ port, requests, seconds, callers, connections: callers })),
  );
  const elapsed = (performance.now() - from) / 1000;
  const worst = (figure: (result: LoadResult) => number): number => Math.max(...results.map(figure));
  return {
    what,
    perSecond: results.reduce((sum, result) => sum + goodputOf(result), 0),
    p50: worst(({ good }) => good.p50),
    p99: worst(({ good }) => good.p99),
    cpus: [
      (cpuOf(pids) - platform) / elapsed,
      (cpuOf([database.pid]) - data) / elapsed,
      results.reduce((sum, { cpus }) => sum + cpus, 0),
    ],
  };
}

async function pendingOf({ db }: TestServer): Promise<number> {
  const sql = 'SELECT COUNT(*) AS pending FROM webhook_deliveries WHERE queue_shard IS NOT NULL';
  return (await selectOne<{ pending: number }>(db, sql))?.pending ?? 0;
}

/** Returns the size of all tables and indexes, and the number of clients. */
async function sizeOf({ db }: TestServer): Promise<{ readonly bytes: number; readonly clients: number }> {
  for (const table of ['clients', 'events', 'audit_events']) await db.sequelize.query(`ANALYZE TABLE ${table}`);
  const size = await selectOne<{ bytes: number | string }>(
    db,
    "SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables WHERE table_schema = 'plat'",
  );
  const clients = await selectOne<{ clients: number }>(db, 'SELECT COUNT(*) AS clients FROM clients');
  return { bytes: Number(size?.bytes ?? 0), clients: clients?.clients ?? 0 };
}

function textOf({ what, perSecond, p50, p99, cpus }: Row): string {
  const shown = [perSecond, p50, p99].map((figure) => (Number.isNaN(figure) ? '–' : figure.toFixed(0)).padStart(8));
  return `${what.padEnd(42)}${shown.join(' ')}        ${cpus.map((figure) => figure.toFixed(2).padStart(8)).join(' ')}`;
}
