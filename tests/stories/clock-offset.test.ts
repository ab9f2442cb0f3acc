import { createTestServer, select } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { operate } from '../support/operator.ts';
import { clockApart, startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const AHEAD_MS = 400 * 86_400_000;
const OFFSET = /the clock of this process is 34,(560,000|559,999) s ahead of the clock of the database/;

test('a process whose clock is 400 days ahead is not ready, says so, and deletes nothing', async () => {
  const database = await freshDatabase();
  const dataDir = tempFolder('clock-offset').path;
  const here = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });
  const { apiKey } = await here.createTenant();
  const api = apiOf(here.baseUrl, apiKey);
  expect((await api('/v1/clients', { body: { name: 'Acme' }, headers: { 'Idempotency-Key': 'one' } })).status).toBe(
    201,
  );
  const rows = async () => {
    const counts = await Promise.all(
      ['events', 'audit_events', 'idempotency_keys'].map((table) =>
        select<{ n: number }>(here.db, `SELECT COUNT(*) AS n FROM ${table}`),
      ),
    );
    return counts.map(([count]) => count?.n);
  };
  const before = await rows();
  expect(before).not.toContain(0);

  const [skewed, command] = await Promise.all([
    startServerProcess({ DATABASE_URL: database.url, ...clockApart(AHEAD_MS) }, dataDir),
    operate({ DATABASE_URL: database.url, ...clockApart(AHEAD_MS) }, 'housekeeping'),
  ]);
  const ready = await fetch(`${skewed.baseUrl}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(OFFSET) }),
  ]);
  expect((await fetch(`${skewed.baseUrl}/livez`)).status).toBe(200);
  expect(skewed.stdout() + skewed.stderr()).toMatch(new RegExp(`"level":50.*${OFFSET.source}`));
  expect(command).toMatchObject({ code: 1, stderr: expect.stringMatching(OFFSET) });

  // The database gained the rows of the other server's sandbox, and lost none.
  const after = await rows();
  for (const [i, count] of after.entries()) expect(count).toBeGreaterThanOrEqual(before[i] ?? 0);
  await skewed.stop();
  await here.close();
  await database.drop();
});
