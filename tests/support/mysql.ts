import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { account, createAccount, type DatabaseServer } from './database-server.ts';
import { findMysql, isRequired } from './find-servers.ts';
import { freePort } from './free-port.ts';
import { privateServerFlags } from './private-server-flags.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);

/** Returns true if `.ci/fetch-mysql` unpacked a MySQL server or REQUIRE_MYSQL is set. */
export const hasMysql = (): boolean => findMysql() !== undefined || isRequired('mysql');

/**
 * Starts a private MySQL with its own folder and a free loopback port. Durability is off for speed; do not measure with
 * it.
 * @param flags additional flags, which override others
 * @throws Error when this machine has none (run .ci/fetch-mysql)
 */
export async function startMysql(flags: readonly string[] = []): Promise<DatabaseServer> {
  const home = findMysql()?.home;
  if (home === undefined) throw new Error('no MySQL here: run .ci/fetch-mysql');
  const program = programOf(home);
  const template = await dataTemplate(home, program);
  const folder = tempFolder('mysql');
  const data = join(folder.path, 'data');
  await cp(template, data, { recursive: true });
  // The id of the server, which members of a group must not share.
  await rm(join(data, 'auto.cnf'), { force: true });
  const socket = join(folder.path, 's.sock');
  const port = await freePort();
  const daemon = await startDaemon({
    name: 'MySQL',
    command: program.command,
    args: [...program.args, ...privateServerFlags({ folder: folder.path, data, socket, port }), ...flags],
    folder,
    ping: () => createAccount(socket),
  });
  return { ...daemon, ...account, kind: 'mysql', host: '127.0.0.1', port };
}

interface Program {
  command: string;
  args: string[];
}

/** The unpacked server runs with its own loader and libraries, which are newer than the system's. */
function programOf(home: string): Program {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const loader = process.arch === 'arm64' ? 'ld-linux-aarch64.so.1' : 'ld-linux-x86-64.so.2';
  const libraries = join(home, 'usr/lib', triplet);
  return {
    command: join(libraries, loader),
    args: [
      '--library-path',
      `${libraries}:${join(home, 'usr/lib/mysql/private')}`,
      join(home, 'usr/sbin/mysqld'),
      '--no-defaults',
      ...(process.getuid?.() === 0 ? ['--user=root'] : []),
      '--secure-file-priv=NULL',
      `--basedir=${join(home, 'usr')}`,
      `--lc-messages-dir=${join(home, 'usr/share/mysql')}`,
      `--character-sets-dir=${join(home, 'usr/share/mysql/charsets')}`,
      `--plugin-dir=${join(home, 'usr/lib/mysql/plugin')}`,
      '--mysqlx=OFF',
    ],
  };
}

/** Returns a template of a data folder. Creating one takes seconds, copying it half a second. */
async function dataTemplate(home: string, program: Program): Promise<string> {
  const template = join(home, 'template');
  if (existsSync(template)) return template;
  const making = await mkdtemp(`${template}.`);
  try {
    const folders = [`--datadir=${join(making, 'data')}`, `--tmpdir=${making}`];
    await run(program.command, [...program.args, '--initialize-insecure', ...folders]);
    // A parallel run has created the same template, which is as good.
    await rename(join(making, 'data'), template).catch((error: unknown) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return template;
}
