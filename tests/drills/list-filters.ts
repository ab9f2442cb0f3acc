import { parseArgs } from 'node:util';
import { createTestServer, newId, select, type TestServer } from '@plat/server/testing';
import { apiOf } from '../support/api.ts';
import { createDatabase, type DatabaseServer, databaseUrl } from '../support/database-server.ts';
import { hasMariadb, startMariadb } from '../support/mariadb.ts';
import { hasMysql, startMysql } from '../support/mysql.ts';
import type { Drill, DrillResult } from './drill.ts';
import { NUMBERS_AT_ONCE, numbers } from './numbers.ts';

/** Maximum p99 of a page in ms. */
const TARGET_MS = 10;
const PAGES = 400;
/** Pages without a filter before the measurements of a list, so that the code of the list is compiled. */
const WARM_UP_PAGES = 400;

interface Filled {
  readonly path: string;
  readonly table: string;
  /** Kind of the ids of the rows. */
  readonly kind: Parameters<typeof newId>[0];
  /** Each filter with two values: one of nearly all rows, and one of the oldest row only. */
  readonly filters: Readonly<Record<string, readonly [common: string, rare: string]>>;
  /** SQL of the other columns that have no default. */
  readonly columns: Readonly<Record<string, string>>;
}

const AT = Date.now() - 86_400_000;
const idPair = (kind: Parameters<typeof newId>[0]) => [newId(kind), newId(kind)] as const;
const TIMES = { created_at: String(AT), updated_at: String(AT) };

const LISTS: readonly Filled[] = [
  {
    path: '/v1/webhooks/deliveries',
    table: 'webhook_deliveries',
    kind: 'webhook_delivery',
    filters: {
      event_id: idPair('event'),
      endpoint_id: idPair('webhook_endpoint'),
      status: ['succeeded', 'failed'],
    },
    columns: { ...TIMES, event_type: "'client.updated'", attempt: '1', scheduled_at: String(AT) },
  },
  {
    path: '/v1/webhooks/events',
    table: 'events',
    kind: 'event',
    filters: { type: ['client.updated', 'client.deleted'], object_id: idPair('client') },
    columns: { created: String(AT), payload: `'{"object":"event","type":"client.updated"}'` },
  },
  {
    path: '/v1/clients',
    table: 'clients',
    kind: 'client',
    filters: { status: ['active', 'inactive'] },
    columns: { ...TIMES, name: "'Client'", slug: "CONCAT('c-', n)" },
  },
  {
    path: '/v1/audit/events',
    table: 'audit_events',
    kind: 'audit_event',
    filters: {
      action: ['client.updated', 'client.deleted'],
      actor_id: idPair('user'),
      target_id: idPair('client'),
      session_id: idPair('session'),
    },
    columns: { actor_type: "'user'", target_type: "'client'", created_at: String(AT) },
  },
  {
    path: '/v1/users',
    table: 'users',
    kind: 'user',
    filters: { status: ['active', 'suspended'], role: ['member', 'admin'], client_id: idPair('client') },
    columns: { ...TIMES, email: "'a@example.com'", email_hash: "UNHEX(LPAD(HEX(n), 64, '0'))" },
  },
  {
    path: '/v1/requests',
    table: 'requests',
    kind: 'request',
    filters: {
      outcome: ['succeeded', 'failed'],
      code: ['INVALID_BODY', 'SLUG_IN_USE'],
      method: ['GET', 'DELETE'],
      operation: ['clients.list', 'clients.delete'],
      credential_id: idPair('api_key'),
    },
    columns: {
      ...{ path: "'/v1/clients'", idempotent_replayed: '0', duration_us: '1000', created_at: String(AT) },
      credential_type: "'api_key'",
    },
  },
];

export const listFilters: Drill = {
  summary:
    'every filter and pair of filters with --rows 10000000 in one tenant: p99 ≤ 10 ms; --list /v1/users for one list',
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({
      args: [...args],
      options: { rows: { type: 'string', default: '10000000' }, list: { type: 'string' } },
    });
    const lists = LISTS.filter(({ path }) => values.list === undefined || path === values.list);
    if (lists.length === 0) throw new Error(`--list is one of ${LISTS.map(({ path }) => path).join(', ')}`);
    const lines: string[] = [
      'server   list                     filters                                      p50 ms  p99 ms (≤ 10)  rows',
    ];
    let sound = true;
    for (const [isHere, start] of [[hasMariadb, startMariadb] as const, [hasMysql, startMysql] as const]) {
      if (!isHere()) continue;
      const server = await start();
      try {
        for (const line of await measure(server, lists, Number(values.rows))) {
          lines.push(line.text);
          sound &&= line.p99 <= TARGET_MS;
        }
      } finally {
        await server.stop();
      }
    }
    return { sound: sound && lines.length > 1, report: lines.join('\n') };
  },
};

async function measure(database: DatabaseServer, lists: readonly Filled[], rows: number) {
  await createDatabase(database, 'drill');
  const env = {
    PLAT_DISPATCH: 'false',
    PLAT_REQUEST_LOG: 'off',
    PLAT_RATE_LIMIT: '1000000',
    // For the statements that insert rows.
    PLAT_DB_STATEMENT_SECONDS: '600',
  };
  const server = await createTestServer({ databaseUrl: databaseUrl(database, 'drill'), env, checkResponses: false });
  const lines: { readonly text: string; readonly p99: number }[] = [];
  try {
    const { tenantId, apiKey } = await server.createTenant();
    const api = apiOf(server.baseUrl, apiKey);
    for (const list of lists) {
      await fill(server, list, tenantId, rows);
      for (let n = 0; n < WARM_UP_PAGES; n++) await api(list.path);
      // The page without a filter shows how much of the p99 is of the machine.
      for (const filters of [{}, ...pairs(list)]) {
        const query = new URLSearchParams(filters).toString();
        const times: number[] = [];
        const before = await rowsRead(server);
        for (let n = 0; n < PAGES; n++) {
          const from = performance.now();
          const { status } = await api(`${list.path}?${query}`);
          times.push(performance.now() - from);
          if (status !== 200) throw new Error(`${list.path}?${query} responded ${status}`);
        }
        const rowsOfPage = ((await rowsRead(server)) - before) / PAGES;
        times.sort((a, b) => a - b);
        const [p50 = 0, p99 = 0] = [times[PAGES / 2], times[Math.floor(PAGES * 0.99)]];
        const names = Object.entries(filters).map(([name, value]) => `${name}=${value.slice(0, 10)}`);
        const figures = [p50.toFixed(1).padStart(6), p99.toFixed(1).padStart(14), rowsOfPage.toFixed(0).padStart(5)];
        const text = `${database.kind.padEnd(8)} ${list.path.padEnd(24)} ${(names.join(' ') || '(none)').padEnd(44)} ${figures.join(' ')}`;
        process.stderr.write(`${text}\n`);
        lines.push({ text, p99 });
      }
      await server.db.sequelize.query(`TRUNCATE TABLE ${list.table}`);
    }
  } finally {
    await server.close();
  }
  return lines;
}

/** Rows and index entries that the storage engine has read for all statements. They do not depend on other load. */
async function rowsRead({ db }: TestServer): Promise<number> {
  const rows = await select<{ Value: string }>(db, "SHOW GLOBAL STATUS LIKE 'Handler_read_%'");
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

/** Inserts rows in the order of their ids. The oldest one has the rare values, all others the common ones. */
async function fill({ db }: TestServer, list: Filled, tenantId: string, rows: number): Promise<void> {
  const prefix = newId(list.kind, AT).slice(0, -16);
  const names = Object.keys(list.filters);
  const insert = async (from: number, below: number, which: 0 | 1): Promise<void> => {
    const given = names.map((name) => db.sequelize.escape(list.filters[name]?.[which] ?? ''));
    const id = `CONCAT('${prefix}', LPAD(n, 16, '0'))`;
    const columns = ['tenant_id', 'id', ...names, ...Object.keys(list.columns)];
    const values = [`'${tenantId}'`, id, ...given, ...Object.values(list.columns)];
    await db.sequelize.query(
      `INSERT INTO ${list.table} (${columns.join(', ')}) ${numbers(from, below)} SELECT ${values.join(', ')} FROM numbers`,
    );
  };
  await insert(0, 1, 1);
  for (let from = 1; from < rows; from += NUMBERS_AT_ONCE) await insert(from, rows, 0);
  await select(db, `ANALYZE TABLE ${list.table}`);
}

/** Each filter with both values; each pair with the four combinations. */
function pairs({ filters }: Filled): readonly Readonly<Record<string, string>>[] {
  const single = Object.entries(filters).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
  const names = Object.keys(filters);
  const double = names.flatMap((a, n) =>
    names
      .slice(n + 1)
      .flatMap((b) => (filters[a] ?? []).flatMap((one) => (filters[b] ?? []).map((two) => ({ [a]: one, [b]: two })))),
  );
  return [...single, ...double];
}
