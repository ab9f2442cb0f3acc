import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { type Daemon, startDaemon } from './daemon.ts';
import { account, createAccount, type DatabaseServer, type ServerAddress } from './database-server.ts';
import { findProgram, isRequired } from './find-servers.ts';
import { freePort } from './free-port.ts';
import { privateServerFlags } from './private-server-flags.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);

/** Paths of the Galera library on Debian and Red Hat. */
const LIBRARIES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/** Returns true if this machine has the programs of a cluster or REQUIRE_GALERA is set. */
export const hasGalera = (): boolean => missingOfGalera().length === 0 || isRequired('galera');

/** Three nodes, each a server with all of the data. */
export interface Galera {
  readonly nodes: readonly [DatabaseServer, DatabaseServer, DatabaseServer];
  /** Stops the remaining nodes. */
  stop(): Promise<void>;
}

/**
 * Starts a private cluster of three MariaDB nodes on free loopback ports. Their timeouts are long, because a node on a
 * busy machine may be silent without having failed. Before a story kills one, {@link suspectSoon} restores the
 * defaults.
 * @throws Error when this machine lacks a program (Debian: mariadb-server galera-4 rsync lsof)
 */
export async function startGalera(): Promise<Galera> {
  const missing = missingOfGalera();
  if (missing.length > 0) throw new Error(`no Galera here: ${missing.join(', ')} missing`);
  const ports = await Promise.all(Array.from({ length: 3 }, portsOfNode));
  const members = ports.map(({ group }) => `127.0.0.1:${group}`).join(',');
  const [one, two, three] = ports;
  if (!one || !two || !three) throw new Error('there are ports for three');
  const first = await startNode(one, ['--wsrep-cluster-address=gcomm://', '--wsrep-new-cluster']);
  // Both copy the state of the first node, which serves one copy at a time.
  const join = [`--wsrep-cluster-address=gcomm://${members}`];
  const nodes = [first, await startNode(two, join), await startNode(three, join)] as const;
  return {
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
    },
  };
}

/** Returns how many transactions the cluster has committed, and how many were rolled back by certification. */
export async function conflictsOf(nodes: Galera['nodes']): Promise<{ committed: number; conflicts: number }> {
  const sum = async (name: string): Promise<number> => {
    const values = await Promise.all(nodes.map((node) => statusOf(node, name)));
    return values.reduce((total, value) => total + Number(value), 0);
  };
  const conflicts = (await sum('wsrep_local_bf_aborts')) + (await sum('wsrep_local_cert_failures'));
  return { committed: Number(await statusOf(nodes[0], 'wsrep_last_committed')), conflicts };
}

/** Restores the default: a silent node is removed after 5 s. */
export async function suspectSoon(nodes: Galera['nodes']): Promise<void> {
  for (const { host, port, user, password } of nodes) {
    const connection = await createConnection({ host, port, user, password });
    await connection.query("SET GLOBAL wsrep_provider_options = 'evs.suspect_timeout=PT5S'");
    await connection.end();
  }
}

/** Returns a status variable of a node. */
export async function statusOf({ host, port, user, password }: ServerAddress, name: string): Promise<string> {
  const connection = await createConnection({ host, port, user, password });
  try {
    const [rows] = await connection.query('SHOW GLOBAL STATUS WHERE Variable_name = ?', [name]);
    const [row] = rows as { Value: string }[];
    return row?.Value ?? '';
  } finally {
    await connection.end();
  }
}

interface NodePorts {
  readonly sql: number;
  readonly group: number;
  readonly changes: number;
  readonly state: number;
}

async function portsOfNode(): Promise<NodePorts> {
  const [sql = 0, group = 0, changes = 0, state = 0] = await Promise.all([1, 2, 3, 4].map(freePort));
  return { sql, group, changes, state };
}

async function startNode(ports: NodePorts, membership: readonly string[]): Promise<DatabaseServer> {
  // The account of the node cannot enter root's other folders.
  const folder = tempFolder('galera', isRoot ? '/tmp' : undefined);
  const data = join(folder.path, 'data');
  mkdirSync(data);
  if (isRoot) for (const path of [folder.path, data]) chownSync(path, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  const install = asUnprivileged(folder.path, program('mariadb-install-db'), [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${folder.path}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  if (membership.includes('--wsrep-new-cluster')) await run(install.command, install.args);
  const socket = join(folder.path, 's.sock');
  const place = { folder: folder.path, data, socket, port: ports.sql };
  const server = asUnprivileged(folder.path, program('mariadbd'), [
    '--no-defaults',
    ...privateServerFlags(place),
    ...galeraFlags(ports),
    ...membership,
    '--innodb-log-file-size=16M',
    '--innodb-buffer-pool-size=64M',
  ]);
  const daemon: Daemon = await startDaemon({
    name: 'A node of Galera',
    ...server,
    folder,
    ping: async () => {
      await createAccount(socket);
      const state = await statusOf(
        { ...account, kind: 'mariadb', host: '127.0.0.1', port: ports.sql },
        'wsrep_local_state_comment',
      );
      if (state !== 'Synced') throw new Error(`the node is ${state}`);
    },
    readyWithinMs: 120_000,
  });
  return { ...daemon, ...account, kind: 'mariadb', host: '127.0.0.1', port: ports.sql };
}

function galeraFlags({ group, changes, state }: NodePorts): string[] {
  return [
    '--wsrep-on=ON',
    `--wsrep-provider=${LIBRARIES.find((path) => existsSync(path))}`,
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-cluster-name=plat',
    '--wsrep-node-address=127.0.0.1',
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${state}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${changes};gcache.size=16M;evs.inactive_timeout=PT60S;evs.suspect_timeout=PT30S`,
  ];
}

function missingOfGalera(): string[] {
  const programs = ['mariadbd', 'mariadb-install-db', 'rsync', ...(isRoot ? ['setpriv'] : [])];
  const missing = programs.filter((name) => findProgram(name) === undefined);
  return LIBRARIES.some((path) => existsSync(path)) ? missing : [...missing, 'galera-4'];
}

function program(name: string): string {
  return findProgram(name) ?? name;
}

const isRoot = process.getuid?.() === 0;
const UNPRIVILEGED = { uid: 65534, gid: 65534 } as const;

/** A node that runs as root cannot send its state: rsync's daemon drops root and may then not write. */
function asUnprivileged(folder: string, command: string, args: readonly string[]): { command: string; args: string[] } {
  if (!isRoot) return { command, args: [...args] };
  const { uid, gid } = UNPRIVILEGED;
  return {
    command: program('setpriv'),
    // The TMPDIR of a run of the suite is closed to other accounts.
    args: [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', 'env', `TMPDIR=${folder}`, command, ...args],
  };
}
