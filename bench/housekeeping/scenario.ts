import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { startChild } from '../lib/child.ts';
import { startDatabase } from '../lib/database.ts';
import { nthId } from '../lib/ids.ts';
import { type Contestant, type Race, race } from '../lib/rounds.ts';
import type { Ready, Removed } from './messages.ts';
import { type Latencies, requestsDuring } from './requests.ts';
import { insertOldRows } from './rows.ts';

/** Deleted rows per second and the durations of requests meanwhile; NaN where nothing is deleted. */
export interface HousekeepingSample extends Latencies {
  readonly perSecond: number;
}

export const NAMES = { without: 'nothing removed', ours: 'runHousekeeping', bare: 'bare DELETE loop' } as const;

const TENANTS = 20;
const WITHOUT_MS = 10_000;
const WARM_UP_MS = 3_000;

/** Lists clients of an idle server, and while `count` expired events and their deliveries are deleted. */
export async function housekeepOn(
  kind: 'mariadb' | 'sqlite',
  count: number,
  rounds: number,
): Promise<Race<HousekeepingSample>> {
  const folder = tempFolder('bench-housekeeping');
  const database = kind === 'mariadb' ? await startDatabase({ durable: true }) : null;
  const url = database?.url ?? `sqlite:${join(folder.path, 'plat.db')}`;
  const stopping: (() => Promise<void>)[] = database ? [() => database.stop()] : [];
  try {
    const server = await startChild<Ready & Removed>(new URL('./server.ts', import.meta.url), [url]);
    stopping.unshift(() => server.stop());
    const bare = await startChild<Removed>(new URL('./bare-loop.ts', import.meta.url), [url]);
    stopping.unshift(() => bare.stop());
    const others = Array.from({ length: TENANTS - 1 }, (_, n) => nthId('tnt', Date.now(), n));
    const tenants = [server.ready.tenantId, ...others];
    await createClients(server.ready, 50);
    await requestsDuring(server.ready, () => wait(WARM_UP_MS));

    const removing = (name: string, remove: () => Promise<Removed>): Contestant<HousekeepingSample> => ({
      name,
      async sample() {
        await insertOldRows(url, tenants, count);
        const { result, latencies } = await requestsDuring(server.ready, remove);
        if (result.rows !== 2 * count) throw new Error(`${name} removed ${result.rows} of ${2 * count} rows`);
        return { ...latencies, perSecond: (result.rows / result.ms) * 1000 };
      },
    });
    return await race(
      [
        {
          name: NAMES.without,
          async sample() {
            const { latencies } = await requestsDuring(server.ready, () => wait(WITHOUT_MS));
            return { ...latencies, perSecond: Number.NaN };
          },
        },
        removing(NAMES.ours, () => server.ask('')),
        removing(NAMES.bare, () => bare.ask(JSON.stringify(tenants))),
      ],
      rounds,
      { warmUp: false },
    );
  } finally {
    for (const stop of stopping) await stop();
    folder.remove();
  }
}

async function createClients({ baseUrl, apiKey }: Ready, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const response = await fetch(`${baseUrl}/v1/clients`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Client ${n}` }),
    });
    if (response.status !== 201) throw new Error(`no client was made: ${await response.text()}`);
  }
}
