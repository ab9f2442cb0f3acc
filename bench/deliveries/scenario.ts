import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from '../lib/child.ts';
import { cpuMicrosOf } from '../lib/process-cpu.ts';
import { type Contestant, type Race, race } from '../lib/rounds.ts';
import { commitBacklog, countUnsuccessful, isQueueEmpty, subscriptionsOf } from './backlog.ts';
import { questionsOfOthers } from './questions.ts';
import type { Received } from './receiver.ts';
import { hostUrls, onStage, type Stage } from './stage.ts';
import { createEndpoints } from './tenants.ts';

/** Measurements of one series of deliveries. */
export interface DeliverySample {
  /** From the first arrival to the last; for our server, until every outcome is written. */
  readonly perSecond: number;
  /** Processor time of the senders and of the database, in µs per delivery. */
  readonly cpuMicros: number;
  readonly databaseCpuMicros: number;
  /** Round trips to the database for 50 deliveries. */
  readonly trips: number;
}

export interface Scenario {
  /** Number of sending processes. */
  readonly workers: number;
  /** Number of receivers, each on a separate host. */
  readonly endpoints: number;
  /** Deliveries per round. */
  readonly count: number;
}

export const NAMES = { ours: 'reference server', bare: 'bare undici Pool.request' } as const;

/** Runs the scenario against a fresh database. */
export function deliverTo({ workers, endpoints, count }: Scenario, rounds: number): Promise<Race<DeliverySample>> {
  return onStage({ workers }, async (stage) => {
    const { connection, server, defer } = stage;
    const receiver = await startChild<Received>(new URL('./receiver.ts', import.meta.url));
    defer(() => receiver.stop());
    const bare = await startChild<number>(new URL('./bare-sender.ts', import.meta.url));
    defer(() => bare.stop());
    const urls = hostUrls(endpoints, receiver.ready.port, '/hook');
    await createEndpoints(server.baseUrl, connection, urls);
    const results = await race([ours(stage, receiver, count), limit(bare, receiver, count, urls)], rounds);
    const failed = await countUnsuccessful(connection);
    if (failed > 0) throw new Error(`${failed} deliveries did not succeed`);
    return results;
  });
}

function ours(
  { connection, database, senders }: Stage,
  receiver: Child<Received>,
  count: number,
): Contestant<DeliverySample> {
  const cpuOfSenders = (): number => senders.reduce((sum, { pid }) => sum + cpuMicrosOf(pid), 0);
  return {
    name: NAMES.ours,
    async sample() {
      const subscriptions = await subscriptionsOf(connection);
      const arrived = receiver.ask(String(count));
      const trips = await questionsOfOthers(connection);
      await commitBacklog(connection, subscriptions, count);
      const before = [cpuOfSenders(), cpuMicrosOf(database.pid)] as const;
      const { firstAt } = await arrived;
      while (!(await isQueueEmpty(connection))) await pause(5);
      return {
        perSecond: (count / (Date.now() - firstAt)) * 1000,
        cpuMicros: (cpuOfSenders() - before[0]) / count,
        databaseCpuMicros: (cpuMicrosOf(database.pid) - before[1]) / count,
        trips: ((await questionsOfOthers(connection)) - trips) / (count / 50),
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
      const cpuMicros = (await sender.ask(JSON.stringify({ count, urls }))) / count;
      const { firstAt, lastAt } = await arrived;
      return { perSecond: (count / (lastAt - firstAt)) * 1000, cpuMicros, databaseCpuMicros: 0, trips: 0 };
    },
  };
}
