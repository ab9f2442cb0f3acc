import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { account, createAccount, type DatabaseServer } from './database-server.ts';
import { findProgram, isRequired } from './find-servers.ts';
import { freePort } from './free-port.ts';
import { privateServerFlags } from './private-server-flags.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);

/** Returns true if this machine has a MariaDB server or REQUIRE_MARIADB is set. */
export const hasMariadb = (): boolean => findProgram('mariadbd') !== undefined || isRequired('mariadb');

/** Where and how a private MariaDB runs. */
interface MariadbOptions {
  /** Additional flags, which override others. */
  readonly flags?: readonly string[];
  /** Folder in which its folder is created; the one for temporary files by default. */
  readonly parent?: string;
}

/**
 * Starts a private MariaDB with its own folder and a free loopback port. Durability is off for speed; do not measure
 * with it, unless flags restore it.
 * @throws Error when this machine has none (Debian: mariadb-server)
 */
export async function startMariadb({ flags = [], parent }: MariadbOptions = {}): Promise<DatabaseServer> {
  const server = findProgram('mariadbd');
  const installer = findProgram('mariadb-install-db');
  if (server === undefined || installer === undefined) throw new Error('no MariaDB here: install mariadb-server');
  const folder = tempFolder('mariadb', parent);
  const data = join(folder.path, 'data');
  const socket = join(folder.path, 's.sock');
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  await run(installer, [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${folder.path}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...asRoot,
  ]);
  const port = await freePort();
  const daemon = await startDaemon({
    name: 'MariaDB',
    command: server,
    args: [
      '--no-defaults',
      ...asRoot,
      ...privateServerFlags({ folder: folder.path, data, socket, port }),
      '--innodb-log-file-size=16M',
      ...flags,
    ],
    folder,
    ping: () => createAccount(socket),
  });
  return { ...daemon, ...account, kind: 'mariadb', host: '127.0.0.1', port };
}
