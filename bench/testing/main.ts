import { createTestServer, newId, type TestServer, unitOfWork } from '@plat/server/testing';
import { number, table, targets } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { race } from '../lib/rounds.ts';
import { figures, spread } from '../lib/statistics.ts';

/** Objects of a sandbox after much use. */
const LEFTOVERS = 2_000;

const NAMES = {
  server: 'createTestServer() until it answers',
  seeded: 'reset of a sandbox as it was seeded',
  filled: `reset of a sandbox with ${LEFTOVERS.toLocaleString('en-US')} clients and their events`,
} as const;

const options = readOptions({ rounds: 30, quickRounds: 3 });
const server = await createTestServer({ env: { PLAT_DISPATCH: 'false' } });
const { tenantId } = await server.createSandbox();

const results = await race(
  [
    { name: NAMES.server, sample: startServer },
    { name: NAMES.seeded, sample: reset },
    {
      name: NAMES.filled,
      async sample() {
        await fill(server, tenantId);
        return reset();
      },
    },
  ],
  options.rounds,
);
await server.close();

const ms = (value: number): number => value;
const of = (name: string) => spread(figures(results, name, ms));
publish(
  'testing',
  [
    targets([
      { what: `${NAMES.server}, ms`, measured: of(NAMES.server).median, atMost: 500 },
      { what: `${NAMES.seeded} (SQLite), ms`, measured: of(NAMES.seeded).median, atMost: 200 },
      { what: `${NAMES.filled} (SQLite), ms`, measured: of(NAMES.filled).median, atMost: 200 },
    ]),
    table(
      ['', 'median ms', 'lowest', 'highest'],
      [...results.keys()].map((name) => {
        const { median, low, high } = of(name);
        return [name, number(median), number(low), number(high)];
      }),
    ),
  ],
  options,
);

async function startServer(): Promise<number> {
  const began = performance.now();
  const one = await createTestServer();
  const { status } = await fetch(`${one.baseUrl}/livez`);
  if (status !== 200) throw new Error(`the test server answered ${status}`);
  const took = performance.now() - began;
  await one.close();
  return took;
}

async function reset(): Promise<number> {
  const began = performance.now();
  await server.resetSandbox(tenantId);
  return performance.now() - began;
}

async function fill({ db }: TestServer, tenant: string): Promise<void> {
  const at = Date.now();
  const rows = Array.from({ length: LEFTOVERS }, (_, i) => i);
  const own = { tenant_id: tenant, created_at: at, updated_at: at };
  await unitOfWork(db, async (transaction) => {
    await db.models.client.bulkCreate(
      rows.map((i) => ({
        ...own,
        id: newId('client'),
        name: `Left ${i}`,
        slug: `left-${i}`,
        status: 'active',
        custom_domain: null,
      })),
      { transaction },
    );
    await db.models.event.bulkCreate(
      rows.map(() => ({ tenant_id: tenant, id: newId('event'), type: 'client.created', created: at, payload: '{}' })),
      { transaction },
    );
  });
}
