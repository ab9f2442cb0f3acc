import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTestServer, execute, select } from '@plat/server/testing';
import { apiOf } from '../support/api.ts';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startMysql } from '../support/mysql.ts';
import { type NodeProcess, spawnNode } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { arrivals } from '../support/sent-once.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Drill, DrillResult } from './drill.ts';
import { extractRelease, PREVIOUS_RELEASE } from './release.ts';
import { type PhaseCount, startLoad } from './rolling-load.ts';

const CURRENT_ENTRY = 'packages/server/src/main.ts';
const SERVERS = 2;
const PHASE_MS = 3000;
const START_MS = 60_000;
const READY_MS = 20_000;
const PROBE_MS = 250;
const SENT_MS = 60_000;

/** A later migration, so that the schema is newer than both versions. */
const LATER = [
  'ALTER TABLE clients ADD COLUMN drill_rank INT NULL',
  'ALTER TABLE clients ADD COLUMN drill_state INT NOT NULL DEFAULT 0',
  'CREATE INDEX clients_drill_rank ON clients (tenant_id, drill_rank)',
  "INSERT INTO schema_migrations (name) VALUES ('9999-drill')",
];

interface Server {
  isReady: boolean;
  readonly process: NodeProcess;
  readonly baseUrl: string;
}

/** Upgrades and rolls back under constant load, on one kind of database. */
export const rollingUpgrade: Drill = {
  summary: 'upgrade to this version and back under load: 0 failed requests (--database sqlite|mariadb|mysql)',
  async run(args) {
    const { values } = parseArgs({ args: [...args], options: { database: { type: 'string', default: 'sqlite' } } });
    const kind = values.database;
    if (kind === 'sqlite') {
      const folder = tempFolder('rolling');
      return drill(kind, `sqlite:${join(folder.path, 'plat.db')}`).finally(() => folder.remove());
    }
    const server = await (kind === 'mysql' ? startMysql() : startMariadb());
    try {
      await createDatabase(server, 'rolling');
      return await drill(server.kind, databaseUrl(server, 'rolling'));
    } finally {
      await server.kill();
    }
  },
};

async function drill(kind: string, url: string): Promise<DrillResult> {
  const dataDir = tempFolder('rolling-data');
  const previous = await extractRelease(PREVIOUS_RELEASE);
  const receiver = await startReceiver();
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    PLAT_DATA_DIR: dataDir.path,
    PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    // Both versions print their address in this format.
    LOG_FORMAT: 'pretty',
    LOG_LEVEL: 'warn',
    PLAT_RATE_LIMIT: '1000000',
    // Workers send.
    PLAT_DISPATCH: 'false',
    PLAT_WEBHOOK_ALLOW: '127.0.0.0/8',
  };
  const command = async (entry: string, ...words: string[]): Promise<string> => {
    const { exited, stdout, stderr } = spawnNode(entry, { args: [...words, '--json'], env });
    const { code } = await exited;
    if (code !== 0) throw new Error(`plat-server ${words.join(' ')} ended with ${code}: ${stderr()}`);
    return stdout();
  };
  const servers: Server[] = [];
  const start = async (entry: string): Promise<void> => {
    const process = spawnNode(entry, { args: ['serve'], env });
    const [, baseUrl = ''] = await process.waitFor(/Base URL +(http:\S+)/, START_MS);
    servers.push({ process, baseUrl, isReady: false });
    const since = performance.now();
    while (servers.at(-1)?.isReady !== true && performance.now() - since < READY_MS) await pause(100);
  };
  /** Leaves the rotation first, as with a load balancer that drains. */
  const stopOldest = async (): Promise<void> => {
    const oldest = servers.shift();
    await pause(200);
    await oldest?.process.stop();
  };
  const workers: NodeProcess[] = [];
  const startWorker = async (entry: string): Promise<void> => {
    const process = spawnNode(entry, { args: ['worker'], env });
    workers.push(process);
    await process.waitFor(/The worker is running/, START_MS);
  };
  const replaceAll = async (entry: string): Promise<void> => {
    for (let i = 0; i < SERVERS; i++) {
      await start(entry);
      await stopOldest();
    }
    await startWorker(entry);
    await workers.shift()?.stop();
  };
  // As a load balancer does.
  const prober = setInterval(async () => {
    for (const server of servers) {
      const response = await fetch(`${server.baseUrl}/readyz`).catch(() => null);
      server.isReady = response?.ok ?? false;
    }
  }, PROBE_MS);
  try {
    await command(previous.entry, 'migrate', 'up');
    const owner = ['--name', 'Rolling', '--owner-email', 'ada@example.com'];
    const { api_key: apiKey } = JSON.parse(await command(previous.entry, 'tenants', 'create', ...owner));
    for (let i = 0; i < SERVERS; i++) await start(previous.entry);
    await startWorker(previous.entry);
    const endpoint = { url: receiver.url, events: ['client.created', 'client.updated'] };
    const { status, body } = await apiOf(servers[0]?.baseUrl ?? '', apiKey)('/v1/webhooks/endpoints', {
      body: endpoint,
    });
    if (status !== 201) throw new Error(`no endpoint: ${JSON.stringify(body)}`);
    const load = startLoad(apiKey, () => servers.filter(({ isReady }) => isReady).map(({ baseUrl }) => baseUrl));
    try {
      load.enter('N-1 on its schema');
      await pause(PHASE_MS);
      load.enter('migrate to the schema of N');
      await command(CURRENT_ENTRY, 'migrate', 'up');
      await runLater(url, env);
      load.enter('N-1 on the schema of N');
      await pause(PHASE_MS);
      load.enter('rolling upgrade');
      await replaceAll(CURRENT_ENTRY);
      load.enter('N on its schema');
      await pause(PHASE_MS);
      load.enter('rollback');
      await replaceAll(previous.entry);
      load.enter('N-1 after the rollback');
      await pause(PHASE_MS);
    } finally {
      await load.stop();
    }
    const failed = load.phases.reduce((sum, { failed }) => sum + countOf(failed), 0);
    const deliveries = await countDeliveries(url, env, receiver);
    const report = [reportOf(kind, load.phases), printDeliveries(deliveries)].join('\n');
    return { sound: failed === 0 && deliveries.missing === 0, report };
  } finally {
    clearInterval(prober);
    await Promise.all([...servers.map(({ process }) => process), ...workers].map((process) => process.stop()));
    await receiver.close();
    previous.remove();
    dataDir.remove();
  }
}

async function runLater(url: string, { PLAT_MASTER_KEY }: { readonly PLAT_MASTER_KEY: string }): Promise<void> {
  const here = await createTestServer({ databaseUrl: url, env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });
  for (const statement of LATER) await execute(here.db, statement);
  await here.close();
}

interface DeliveryCounts {
  readonly events: number;
  /** Events that the receiver did not get. */
  readonly missing: number;
  /** Events that it got more than once. */
  readonly repeated: number;
}

/** Waits until nothing is due, and compares the events of the database with those of the receiver. */
async function countDeliveries(
  url: string,
  { PLAT_MASTER_KEY }: { readonly PLAT_MASTER_KEY: string },
  receiver: Receiver,
): Promise<DeliveryCounts> {
  const here = await createTestServer({ databaseUrl: url, env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });
  try {
    const isDue = async (): Promise<boolean> =>
      (await select(here.db, "SELECT id FROM webhook_deliveries WHERE status = 'pending' LIMIT 1")).length > 0;
    for (const since = performance.now(); (await isDue()) && performance.now() - since < SENT_MS; ) await pause(100);
    const sql = "SELECT id FROM events WHERE type IN ('client.created', 'client.updated')";
    const ids = (await select<{ id: string }>(here.db, sql)).map(({ id }) => id);
    const times = arrivals(receiver);
    const missing = ids.filter((id) => !times.has(id)).length;
    return { events: ids.length, missing, repeated: [...times.values()].filter((count) => count > 1).length };
  } finally {
    await here.close();
  }
}

const printDeliveries = ({ events, missing, repeated }: DeliveryCounts): string =>
  `${events} events: ${missing} not delivered (target 0), ${repeated} more than once, by workers of both versions in turn.`;

function countOf(failed: ReadonlyMap<string, number>): number {
  return [...failed.values()].reduce((sum, count) => sum + count, 0);
}

function reportOf(kind: string, phases: readonly PhaseCount[]): string {
  const lines = phases.map(({ phase, requests, failed, longestMs }) => {
    const causes = [...failed].map(([cause, count]) => `  ${cause}: ${count}`).join('');
    const figures = [requests, countOf(failed), Math.round(longestMs)].map((figure) => String(figure).padStart(10));
    return `${phase.padEnd(28)}${figures.join('')}${causes}`;
  });
  const head = `${kind.padEnd(28)}${['requests', 'failed', 'longest ms'].map((word) => word.padStart(10)).join(' ')}`;
  return [head, ...lines, 'Target: 0 failed requests.'].join('\n');
}
