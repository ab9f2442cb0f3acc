import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  createTestServer,
  execute,
  type Migration,
  migrateFurther,
  newId,
  select,
  type TestServer,
} from '@plat/server/testing';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startMysql } from '../support/mysql.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Drill, DrillResult } from './drill.ts';
import { type PhaseCount, startLoad } from './rolling-load.ts';

const PHASE_MS = 3000;
/** Maximum time of one request during the migration, in ms. */
const TARGET_MS = 1000;

/** Each change of the API adds a row to this table. */
const MIGRATION: Migration = {
  name: '9999-drill',
  async up({ addColumn, backfill, createIndex }) {
    await addColumn('audit_events', 'drill_year INTEGER NULL');
    const value = 'created_at / 31557600000 + 1970';
    await backfill({ table: 'audit_events', column: 'drill_year', value, key: ['tenant_id', 'id'] });
    await createIndex('audit_events_drill', 'audit_events', ['tenant_id', 'drill_year']);
  },
};

/** Changes a large table while the API changes it too. */
export const onlineMigration: Drill = {
  summary:
    'a column, a backfill and an index on --rows 1000000 under load: 0 failed requests, each ≤ 1 s (--database sqlite|mariadb|mysql)',
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { database: { type: 'string', default: 'mariadb' }, rows: { type: 'string', default: '1000000' } },
    });
    if (values.database === 'sqlite') {
      const folder = tempFolder('online');
      return drill(values.database, `sqlite:${join(folder.path, 'plat.db')}`, Number(values.rows)).finally(() =>
        folder.remove(),
      );
    }
    const server = await (values.database === 'mysql' ? startMysql() : startMariadb());
    try {
      await createDatabase(server, 'online');
      return await drill(server.kind, databaseUrl(server, 'online'), Number(values.rows));
    } finally {
      await server.kill();
    }
  },
};

async function drill(kind: string, url: string, rows: number): Promise<DrillResult> {
  const server = await createTestServer({ databaseUrl: url, env: { PLAT_DISPATCH: 'false' } });
  try {
    const { tenantId, apiKey } = await server.createTenant({ sandbox: false });
    await fill(server, tenantId, rows);
    const load = startLoad(apiKey, () => [server.baseUrl]);
    let ms = 0;
    try {
      load.enter('before');
      await pause(PHASE_MS);
      load.enter('during the migration');
      ms = await migrateFurther(server.db, MIGRATION);
      load.enter('after');
      await pause(PHASE_MS);
    } finally {
      await load.stop();
    }
    const [row] = await select<{ missing: number }>(
      server.db,
      'SELECT COUNT(*) AS missing FROM audit_events WHERE drill_year IS NULL AND id < :begun',
      { begun: newId('audit_event', Date.now() - 2 * PHASE_MS - ms - 60_000) },
    );
    const missing = Number(row?.missing ?? rows);
    const isSound = ({ failed, longestMs }: PhaseCount): boolean => failed.size === 0 && longestMs <= TARGET_MS;
    const lines = load.phases.map(({ phase, requests, failed, longestMs }) => {
      const causes = [...failed].map(([cause, count]) => `  failed, ${cause}: ${count}`).join('');
      return `${phase.padEnd(24)}${requests} requests, longest ${Math.round(longestMs)} ms${causes}`;
    });
    const summary = `${kind}: ${rows} rows migrated in ${(ms / 1000).toFixed(1)} s, ${missing} not filled`;
    return { sound: missing === 0 && load.phases.every(isSound), report: [summary, ...lines].join('\n') };
  } finally {
    await server.close();
  }
}

async function fill({ db }: TestServer, tenantId: string, rows: number): Promise<void> {
  const BATCH = 1000;
  const at = Date.now() - 86_400_000;
  const prefix = newId('audit_event', at).slice(0, -16);
  for (let from = 0; from < rows; from += BATCH) {
    const values = Array.from({ length: Math.min(BATCH, rows - from) }, (_, i) => {
      const id = `${prefix}${String(from + i).padStart(16, '0')}`;
      return `('${tenantId}', '${id}', 'client.updated', 'user', 'usr', 'client', 'cli', ${at})`;
    });
    await execute(
      db,
      `INSERT INTO audit_events (tenant_id, id, action, actor_type, actor_id, target_type, target_id, created_at) VALUES ${values.join(', ')}`,
    );
  }
}
