import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, type DatabaseServer, databaseUrl } from '../support/database-server.ts';
import { hasGalera, startGalera, suspectSoon } from '../support/galera.ts';
import { startGroupReplication } from '../support/group-replication.ts';
import { hasMariadb, startMariadb } from '../support/mariadb.ts';
import { hasMysql, startMysql } from '../support/mysql.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isSound, printedTally } from '../tally/print.ts';
import { runTally } from '../tally/run-tally.ts';
import type { Drill, DrillResult } from './drill.ts';

/** A database under the same build. */
interface Place {
  /** One URL for each node; processes take them in turn. */
  readonly urls: readonly string[];
  /** Kills or switches a node under load. */
  fault?(): Promise<void>;
  stop(): Promise<void>;
}

const PLACES: Readonly<Record<string, { isHere(): boolean; open(): Promise<Place> }>> = {
  sqlite: { isHere: () => true, open: openFile },
  mariadb: { isHere: hasMariadb, open: async () => openServer(await startMariadb()) },
  mysql: { isHere: hasMysql, open: async () => openServer(await startMysql()) },
  galera: { isHere: hasGalera, open: openGalera },
  'group-replication': { isHere: hasMysql, open: openGroup },
};

/** Share of the kills after which the fault of the database is injected. */
const FAULT_AT = 0.3;

/** The tally of lost changes and deliveries, on every kind of database. */
export const fiveDatabases: Drill = {
  summary:
    'the tally on SQLite, MariaDB, MySQL, Galera and Group Replication with a killed node; --kills 100 --only galera',
  async run(args): Promise<DrillResult> {
    const { values } = parseArgs({
      args: [...args],
      options: {
        kills: { type: 'string', default: '100' },
        processes: { type: 'string', default: '6' },
        only: { type: 'string' },
      },
    });
    const kills = Number(values.kills);
    const seed = randomInt(2 ** 31);
    const reports: string[] = [];
    let sound = true;
    for (const [name, { isHere, open }] of Object.entries(PLACES)) {
      if (values.only !== undefined && values.only !== name) continue;
      if (!isHere()) {
        reports.push(`${name}: this machine has none`);
        continue;
      }
      const place = await open();
      try {
        const { urls, fault } = place;
        const [databaseUrl = ''] = urls;
        const processes = Number(values.processes);
        const run = await runTally({
          databaseUrl,
          nodeUrls: urls,
          kills,
          processes,
          seed,
          ...(fault && { fault, faultAt: FAULT_AT }),
        });
        reports.push(printedTally(run, `${name}, ${urls.length} nodes, ${processes} processes, seed ${seed}`));
        sound &&= isSound(run, kills);
      } finally {
        await place.stop();
      }
    }
    return { sound: sound && reports.length > 0, report: reports.join('\n\n') };
  },
};

async function openFile(): Promise<Place> {
  const folder = tempFolder('five');
  return { urls: [`sqlite:${join(folder.path, 'plat.db')}`], stop: async () => folder.remove() };
}

async function openServer(server: DatabaseServer): Promise<Place> {
  await createDatabase(server, 'plat');
  return { urls: [databaseUrl(server, 'plat')], stop: () => server.kill() };
}

/** Each process prefers another node. The last node is killed. */
async function openGalera(): Promise<Place> {
  const { nodes, stop } = await startGalera();
  await createDatabase(nodes[0], 'plat');
  await suspectSoon(nodes);
  return { urls: urlsOf(nodes), fault: () => nodes[2].kill(), stop };
}

/** All processes use the primary, wherever it is. It is killed, and the others elect another one. */
async function openGroup(): Promise<Place> {
  const { nodes, stop } = await startGroupReplication();
  await createDatabase(nodes[0], 'plat');
  return { urls: urlsOf(nodes), fault: () => nodes[0].kill(), stop: async () => void (await stop()) };
}

/** For each node, the URL of a process that prefers it and can use the others. */
function urlsOf(nodes: readonly DatabaseServer[]): readonly string[] {
  return nodes.map((node, first) => {
    const order = [...nodes.slice(first), ...nodes.slice(0, first)];
    const hosts = order.map(({ host, port }) => `${host}:${port}`).join(',');
    return databaseUrl(node, 'plat').replace(`${node.host}:${node.port}`, hosts);
  });
}
