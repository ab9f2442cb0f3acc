import { parseArgs } from 'node:util';
import { createTestServer, execute, newId, selectOne, type TestServer, type TestTenant } from '@plat/server/testing';
import { type Api, apiOf } from '../support/api.ts';
import { createDatabase, type DatabaseServer, databaseUrl } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startMysql } from '../support/mysql.ts';
import type { Drill, DrillResult } from './drill.ts';
import { NUMBERS_AT_ONCE, numbers } from './numbers.ts';
import { quantile } from './quantile.ts';

/** Tenants whose requests are measured, each for the first time after the database has grown. */
const MEASURED = 500;

/** Maximum ratio of the median beside all other tenants and alone. */
const TARGET = 1.5;

type Call = (api: Api, at: number) => Promise<{ readonly status: number }>;

const CALLS: Readonly<Record<string, Call>> = {
  'list of 20 clients': (api) => api('/v1/clients?limit=20'),
  'the same by status': (api) => api('/v1/clients?limit=20&status=active'),
  'change of a client': async (api) => {
    const { body } = await api('/v1/clients?limit=1');
    return api(`/v1/clients/${body.data[0].id}`, { method: 'PATCH', body: { name: 'Changed' } });
  },
  'create of a client': (api, at) => api('/v1/clients', { body: { name: 'New', slug: `new-${at}` } }),
};

/** Requests of some tenants before and after very many others are in the database. */
export const size: Drill = {
  summary: '100,000 tenants with 100 clients each: requests of a tenant take as long as alone (--database mysql)',
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({
      args: [...args],
      options: {
        database: { type: 'string', default: 'mariadb' },
        tenants: { type: 'string', default: '100000' },
        clients: { type: 'string', default: '100' },
      },
    });
    const database = await (values.database === 'mysql' ? startMysql() : startMariadb());
    try {
      return await measure(database, Number(values.tenants), Number(values.clients));
    } finally {
      await database.stop();
    }
  },
};

async function measure(database: DatabaseServer, tenants: number, clients: number): Promise<DrillResult> {
  await createDatabase(database, 'drill');
  const env = { PLAT_DISPATCH: 'false', PLAT_REQUEST_LOG: 'off', PLAT_DB_STATEMENT_SECONDS: '600' };
  const server = await createTestServer({ databaseUrl: databaseUrl(database, 'drill'), env });
  try {
    const own: TestTenant[] = [];
    for (let n = 0; n < 2 * MEASURED; n++) own.push(await server.createTenant({ sandbox: false }));
    for (const { tenantId } of own) await addClients(server, clients, `'${tenantId}'`);
    const alone = await timesOf(server, own.slice(0, MEASURED));
    await addTenants(server, tenants, clients);
    const beside = await timesOf(server, own.slice(MEASURED));
    const lines = Object.keys(CALLS).map((name) => {
      const [a = [], b = []] = [alone.get(name), beside.get(name)];
      const figures = [quantile(a, 0.5), quantile(a, 0.99), quantile(b, 0.5), quantile(b, 0.99)];
      const ratio = (figures[2] ?? 0) / (figures[0] ?? 1);
      const shown = figures.map((ms) => (ms ?? 0).toFixed(1).padStart(9)).join(' ');
      return { ratio, text: `${name.padEnd(20)} ${shown} ${ratio.toFixed(2).padStart(8)}` };
    });
    const head = `${database.kind.padEnd(20)} p50 alone p99 alone       p50       p99    ratio (≤ ${TARGET}, of p50)`;
    const disk = `${tenants} tenants with ${clients} clients each: ${await gigabytes(server)} GB`;
    const sound = lines.every(({ ratio }) => ratio <= TARGET);
    return { sound, report: [head, ...lines.map(({ text }) => text), disk].join('\n') };
  } finally {
    await server.close();
  }
}

/** Resolves to the durations of each call in ms, one of each tenant. */
async function timesOf(
  server: TestServer,
  own: readonly TestTenant[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>();
  for (const [name, call] of Object.entries(CALLS)) {
    const ms: number[] = [];
    for (const [at, { apiKey }] of own.entries()) {
      const api = apiOf(server.baseUrl, apiKey);
      const since = performance.now();
      const { status } = await call(api, at);
      ms.push(performance.now() - since);
      if (status >= 300) throw new Error(`${name} responded ${status}`);
    }
    times.set(name, ms);
  }
  return times;
}

async function addTenants(server: TestServer, tenants: number, clients: number): Promise<void> {
  const at = Date.now() - 86_400_000;
  const prefix = newId('tenant', at).slice(0, -16);
  for (let from = 0; from < tenants; from += NUMBERS_AT_ONCE) {
    await execute(
      server.db,
      `INSERT INTO tenants (id, name, status, sandbox, created_at, updated_at) ${numbers(from, tenants)}
       SELECT CONCAT('${prefix}', LPAD(n, 16, '0')), 'Drill', 'active', 0, ${at}, ${at} FROM numbers`,
    );
  }
  await addClients(server, tenants * clients, `CONCAT('${prefix}', LPAD(n DIV ${clients}, 16, '0'))`);
}

/** @param tenant SQL of the tenant's id of row `n` */
async function addClients(server: TestServer, count: number, tenant: string): Promise<void> {
  const at = Date.now() - 86_400_000;
  const id = `CONCAT('${newId('client', at).slice(0, -16)}', LPAD(n, 16, '0'))`;
  for (let from = 0; from < count; from += NUMBERS_AT_ONCE) {
    await execute(
      server.db,
      `INSERT INTO clients (tenant_id, id, name, status, slug, created_at, updated_at) ${numbers(from, count)}
       SELECT ${tenant}, ${id}, CONCAT('Client ', n), 'active', CONCAT('client-', n), ${at}, ${at} FROM numbers`,
    );
  }
}

async function gigabytes(server: TestServer): Promise<string> {
  const sql = `SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables WHERE table_schema = DATABASE()`;
  const row = await selectOne<{ bytes: string }>(server.db, sql);
  return (Number(row?.bytes) / 1e9).toFixed(1);
}
