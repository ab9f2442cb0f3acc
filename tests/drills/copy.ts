import { parseArgs } from 'node:util';
import { createTestServer, newId, unitOfWork } from '@plat/server/testing';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { hasMariadb, startMariadb } from '../support/mariadb.ts';
import { hasMysql, startMysql } from '../support/mysql.ts';
import { operate } from '../support/operator.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Drill, DrillResult } from './drill.ts';

/** Minimum speed of a copy, without the comparison after it. */
const TARGET_ROWS_PER_SECOND = 20_000;
const BATCH = 5_000;

export const copy: Drill = {
  summary: 'a copy of --rows 500000 from SQLite to each server: ≥ 20,000 rows/s, no differences',
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({ args: [...args], options: { rows: { type: 'string', default: '500000' } } });
    const folder = tempFolder('copy');
    const lines = ['server   rows copied and their speed (≥ 20000 rows/s)'];
    let sound = true;
    try {
      const from = `sqlite:${folder.path}/plat.db`;
      await fill(from, Number(values.rows));
      for (const [isHere, start] of [[hasMariadb, startMariadb] as const, [hasMysql, startMysql] as const]) {
        if (!isHere()) continue;
        const server = await start();
        try {
          await createDatabase(server, 'drill');
          const { code, stderr } = await operate(databaseUrl(server, 'drill'), 'copy', '--from', from);
          const [summary = stderr, speed = '0'] = /\d+ rows copied.*?(\d+) rows\/s\)/.exec(stderr) ?? [];
          lines.push(`${server.kind.padEnd(8)} ${summary}; ${code === 0 ? 'no differences' : 'DIFFERENT'}`);
          sound &&= code === 0 && Number(speed) >= TARGET_ROWS_PER_SECOND;
        } finally {
          await server.stop();
        }
      }
    } finally {
      folder.remove();
    }
    return { sound: sound && lines.length > 1, report: lines.join('\n') };
  },
};

/** Fills a SQLite file with events of the size of a client, and as many audit entries. */
async function fill(url: string, rows: number): Promise<void> {
  const { db, createTenant, close } = await createTestServer({ databaseUrl: url, env: { PLAT_DISPATCH: 'false' } });
  const { tenantId } = await createTenant({ sandbox: false });
  const payload = JSON.stringify({ object: 'event', data: { object: 'client', name: 'A'.repeat(300) } });
  const at = Date.now() - rows;
  for (let start = 0; start < rows / 2; start += BATCH) {
    const times = Array.from({ length: Math.min(BATCH, rows / 2 - start) }, (_, n) => at + start + n);
    const owned = { tenant_id: tenantId };
    await unitOfWork(db, async (transaction) => {
      await db.models.event.bulkCreate(
        times.map((created) => ({ ...owned, id: newId('event', created), type: 'client.created', created, payload })),
        { transaction },
      );
      await db.models.auditEvent.bulkCreate(
        times.map((created_at) => ({
          ...owned,
          ...{ id: newId('audit_event', created_at), actor_type: 'user', action: 'client.created' },
          ...{ target_type: 'client', target_id: newId('client', created_at), created_at },
        })),
        { transaction },
      );
    });
  }
  await close();
}
