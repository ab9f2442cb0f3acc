import { execFile } from 'node:child_process';
import { chownSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Daemon, startDaemon } from './daemon.ts';
import { findNewestVersion, findProgram, isRequired } from './find-servers.ts';
import { freePort } from './free-port.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);

export interface Postgres extends Daemon {
  /** Connects to its one database. */
  readonly url: string;
}

/** Returns true if this machine has a PostgreSQL server or REQUIRE_POSTGRES is set. */
export const hasPostgres = (): boolean => findBinaries() !== undefined || isRequired('postgres');

/**
 * Starts a private PostgreSQL with its own folder and a free loopback port. Durability is off for speed.
 * @throws Error when this machine has none (Debian: postgresql)
 */
export async function startPostgres(): Promise<Postgres> {
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error('no PostgreSQL here: install postgresql');
  // As root it runs under another account, which cannot enter the run's temporary folder.
  const folder = isRoot() ? tempFolder('postgres', '/tmp') : tempFolder('postgres');
  const data = join(folder.path, 'data');
  const as = await unprivileged(folder.path);
  const init = [...as, join(binaries, 'initdb')];
  const settings = ['--username=plat', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  // Started in a folder that its account can enter.
  await run(init[0] ?? '', [...init.slice(1), `--pgdata=${data}`, ...settings], { cwd: folder.path });
  const port = await freePort();
  const url = `postgresql://plat@127.0.0.1:${port}/postgres`;
  const [command = '', ...args] = [
    ...as,
    join(binaries, 'postgres'),
    ...['-D', data, '-p', String(port), '-k', folder.path],
    ...['listen_addresses=127.0.0.1', 'fsync=off', 'max_connections=100'].flatMap((each) => ['-c', each]),
  ];
  const daemon = await startDaemon({ name: 'PostgreSQL', command, args, folder, ping: () => ping(url) });
  return {
    ...daemon,
    url,
    // After SIGTERM alone it waits until the last client has disconnected.
    stop: () => {
      process.kill(daemon.pid, 'SIGINT');
      return daemon.stop();
    },
  };
}

function findBinaries(): string | undefined {
  const inPath = findProgram('postgres');
  if (inPath !== undefined) return dirname(realpathSync(inPath));
  const newest = findNewestVersion('/usr/lib/postgresql');
  return newest && join(newest, 'bin');
}

/**
 * PostgreSQL refuses to run as root. Gives the folder to its account and returns a function that runs commands as that
 * account.
 */
async function unprivileged(folder: string): Promise<readonly string[]> {
  if (!isRoot()) return [];
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  chownSync(folder, uid, gid);
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

async function ping(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.end();
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
