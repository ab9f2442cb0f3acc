import { randomBytes } from 'node:crypto';
import { createTestServer, execute } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { printedTally } from '../tally/print.ts';
import { runTally } from '../tally/run-tally.ts';

const KILLS = 30;

/* The short form of `npm run tally`, which kills thousands of processes. */
test(`${KILLS} processes killed with -9 under load lose no committed event, and send again only what was in flight`, async () => {
  const database = await freshDatabase();
  const run = await runTally({ databaseUrl: database.url, kills: KILLS, processes: 4, seed: 6 });
  // The list of failures at the end of a run has one line of each.
  const shown = `${run.tally.faults[0]?.what}\n${printedTally(run, database.kind)}`;
  expect(run.tally.faults, shown).toEqual([]);
  expect(run.crashes).toEqual([]);
  expect(run.kills).toBe(KILLS);
  expect(run.tally.deliveries.delivered, shown).toBeGreaterThan(0);
  await database.drop();
}, 300_000);

test('a process that was killed while it held the migration lease does not block the start of processes without migrations', async () => {
  const database = await freshDatabase();
  // Servers of one operator have one master key.
  const options = { databaseUrl: database.url, env: { PLAT_MASTER_KEY: randomBytes(32).toString('base64') } };
  const first = await createTestServer(options);
  const later = Date.now() + 60_000;
  await execute(first.db, "UPDATE migration_lease SET owner = 'dead', expires_at = :later", { later });
  const second = await createTestServer(options);
  expect((await fetch(`${second.baseUrl}/readyz`)).status).toBe(200);
  await second.close();
  await first.close();
  await database.drop();
});
