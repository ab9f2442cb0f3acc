import { parseArgs } from 'node:util';
import { createTestServer, execute, newId, type TestServer } from '@plat/server/testing';
import { createDatabase, type DatabaseServer, databaseUrl } from '../support/database-server.ts';
import { hasMariadb, startMariadb } from '../support/mariadb.ts';
import { hasMysql, startMysql } from '../support/mysql.ts';
import type { Drill, DrillResult } from './drill.ts';
import { NUMBERS_AT_ONCE, numbers } from './numbers.ts';

/** Maximum duration of a run with nothing to delete, in s. */
const TARGET_S = 60;

export const housekeeping: Drill = {
  summary: 'a run of housekeeping with --tenants 1000000 and nothing to delete: ≤ 60 s',
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({ args: [...args], options: { tenants: { type: 'string', default: '1000000' } } });
    const lines = ['server   tenants  first run s  next run s (≤ 60)'];
    let sound = true;
    for (const [isHere, start] of [[hasMariadb, startMariadb] as const, [hasMysql, startMysql] as const]) {
      if (!isHere()) continue;
      const server = await start();
      try {
        const [first, next] = await measure(server, Number(values.tenants));
        lines.push(
          `${server.kind.padEnd(8)} ${values.tenants.padEnd(8)} ${first.toFixed(1).padEnd(12)} ${next.toFixed(1)}`,
        );
        sound &&= next <= TARGET_S;
      } finally {
        await server.stop();
      }
    }
    return { sound: sound && lines.length > 1, report: lines.join('\n') };
  },
};

async function measure(database: DatabaseServer, tenants: number): Promise<readonly [number, number]> {
  await createDatabase(database, 'drill');
  const env = { PLAT_DISPATCH: 'false', PLAT_REQUEST_LOG: 'off' };
  const server = await createTestServer({ databaseUrl: databaseUrl(database, 'drill'), env });
  try {
    // Written before the last run, and too young to be deleted.
    await fill(server, tenants, Date.now() - 2 * 3_600_000);
    return [await timed(server), await timed(server)];
  } finally {
    await server.close();
  }
}

async function timed(server: TestServer): Promise<number> {
  const from = performance.now();
  if ((await server.housekeeping()) === null) throw new Error('another process runs housekeeping');
  return (performance.now() - from) / 1000;
}

/** Inserts tenants with an event, a delivery, an audit event and a log entry each. */
async function fill({ db }: TestServer, tenants: number, at: number): Promise<void> {
  const idOf = (kind: Parameters<typeof newId>[0]) => `CONCAT('${newId(kind, at).slice(0, -16)}', LPAD(n, 16, '0'))`;
  const [tenant, event] = [idOf('tenant'), idOf('event')];
  const times = `${at}, ${at}`;
  const rows: Readonly<Record<string, string>> = {
    'tenants (id, name, status, sandbox, created_at, updated_at)': `${tenant}, 'Drill', 'active', 0, ${times}`,
    'events (tenant_id, id, type, created, payload)': `${tenant}, ${event}, 'client.created', ${at}, '{}'`,
    'webhook_deliveries (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, scheduled_at, created_at, updated_at)': `${tenant}, ${idOf('webhook_delivery')}, ${event}, 'client.created', '${newId('webhook_endpoint')}', 1, 'succeeded', ${at}, ${times}`,
    'audit_events (tenant_id, id, actor_type, action, target_type, target_id, created_at)': `${tenant}, ${idOf('audit_event')}, 'user', 'client.created', 'client', ${idOf('client')}, ${at}`,
    'requests (tenant_id, id, method, path, outcome, idempotent_replayed, duration_us, created_at)': `${tenant}, ${idOf('request')}, 'GET', '/v1/clients', 'succeeded', 0, 1000, ${at}`,
  };
  for (let from = 0; from < tenants; from += NUMBERS_AT_ONCE) {
    for (const [into, values] of Object.entries(rows)) {
      await execute(db, `INSERT INTO ${into} ${numbers(from, tenants)} SELECT ${values} FROM numbers`);
    }
  }
}
