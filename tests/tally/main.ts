import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startMysql } from '../support/mysql.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isSound, printedTally } from './print.ts';
import { runTally } from './run-tally.ts';

const USAGE = 'npm run tally -- --database sqlite|mariadb|mysql|<url> --kills 2000 [--processes 4] [--seed N]';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '2000' },
    processes: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const [kills, processes, seed] = [values.kills, values.processes, values.seed].map(Number);
if (!kills || !processes || seed === undefined || Number.isNaN(seed)) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const database = await open(values.database);
const how = `${values.database.replace(/:\/\/.*@/, '://')}, ${processes} processes, seed ${seed}`;
process.stderr.write(`${how}\n`);
let lastSaid = 0;
const run = await runTally({
  databaseUrl: database.url,
  kills,
  processes,
  seed,
  progress(text) {
    if (performance.now() - lastSaid < 15_000) return;
    lastSaid = performance.now();
    process.stderr.write(`${text}\n`);
  },
});
process.stdout.write(`${printedTally(run, how)}\n`);
await database.close();
process.exit(isSound(run, kills) ? 0 : 1);

async function open(name: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (name === 'sqlite') {
    const folder = tempFolder('tally');
    return { url: `sqlite:${join(folder.path, 'plat.db')}`, close: async () => folder.remove() };
  }
  if (name !== 'mariadb' && name !== 'mysql') return { url: name, close: async () => undefined };
  const server = await (name === 'mariadb' ? startMariadb() : startMysql());
  await createDatabase(server, 'tally');
  return { url: databaseUrl(server, 'tally'), close: () => server.kill() };
}
