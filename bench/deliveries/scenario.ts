import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { type Child, startChild } from '../lib/child.ts';
import { startDatabase } from '../lib/database.ts';
import { startPlatServer } from '../lib/plat-server.ts';
import { cpuMicrosOf } from '../lib/process-cpu.ts';
import { type Contestant, type Race, race } from '../lib/rounds.ts';
import { commitBacklog, countUnsuccessful, isQueueEmpty, subscriptionsOf } from './backlog.ts';
import type { Received } from './receiver.ts';
import { createEndpoints } from './tenants.ts';

/** What was measured of one series of deliveries. */
export interface DeliverySample {
  /** From the first arrival until all have arrived; of ours, until every outcome is written. */
  readonly perSecond: number;
  /** Processor time of the sender, and of the database, in µs for each delivery. */
  readonly cpuMicros: number;
  readonly databaseCpuMicros: number;
}

export const NAMES = { ours: 'reference server', bare: 'bare undici Pool.request' } as const;

/** Runs the race with so many endpoints, each on a host of its own, against a fresh database. */
export async function deliverTo(endpoints: number, count: number, rounds: number): Promise<Race<DeliverySample>> {
  const folder = tempFolder('bench');
  const database = await startDatabase({ durable: true });
  const stopping: (() => Promise<void>)[] = [() => database.stop()];
  try {
    const receiver = await startChild<Received>(new URL('./receiver.ts', import.meta.url));
    stopping.unshift(() => receiver.stop());
    const bare = await startChild<number>(new URL('./bare-sender.ts', import.meta.url));
    stopping.unshift(() => bare.stop());
    const server = await startPlatServer({ databaseUrl: database.url, dataDir: folder.path });
    stopping.unshift(() => server.stop());
    const connection = await createConnection({ uri: database.url });
    stopping.unshift(() => connection.end());

    const urls = Array.from(
      { length: endpoints },
      (_, n) => `http://127.0.${Math.floor(n / 250)}.${(n % 250) + 1}:${receiver.ready.port}/hook`,
    );
    await createEndpoints(server.baseUrl, connection, urls);
    const results = await race(
      [
        ours(connection, receiver, count, { server: server.pid, database: database.pid }),
        limit(bare, receiver, count, urls),
      ],
      rounds,
    );
    const failed = await countUnsuccessful(connection);
    if (failed > 0) throw new Error(`${failed} deliveries did not succeed`);
    return results;
  } finally {
    for (const stop of stopping) await stop();
    folder.remove();
  }
}

function ours(
  connection: Connection,
  receiver: Child<Received>,
  count: number,
  pids: { readonly server: number; readonly database: number },
): Contestant<DeliverySample> {
  return {
    name: NAMES.ours,
    async sample() {
      const subscriptions = await subscriptionsOf(connection);
      const arrived = receiver.ask(String(count));
      await commitBacklog(connection, subscriptions, count);
      const before = [cpuMicrosOf(pids.server), cpuMicrosOf(pids.database)] as const;
      const { firstAt } = await arrived;
      while (!(await isQueueEmpty(connection))) await pause(5);
      return {
        perSecond: (count / (Date.now() - firstAt)) * 1000,
        cpuMicros: (cpuMicrosOf(pids.server) - before[0]) / count,
        databaseCpuMicros: (cpuMicrosOf(pids.database) - before[1]) / count,
      };
    },
  };
}

function limit(
  sender: Child<number>,
  receiver: Child<Received>,
  count: number,
  urls: readonly string[],
): Contestant<DeliverySample> {
  return {
    name: NAMES.bare,
    async sample() {
      const arrived = receiver.ask(String(count));
      const cpuMicros = await sender.ask(JSON.stringify({ count, urls }));
      const { firstAt, lastAt } = await arrived;
      return { perSecond: (count / (lastAt - firstAt)) * 1000, cpuMicros: cpuMicros / count, databaseCpuMicros: 0 };
    },
  };
}
