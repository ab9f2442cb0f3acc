import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import type { DatabaseServer } from './database-server.ts';
import { freePort } from './free-port.ts';
import { startMysql } from './mysql.ts';

/** Three MySQL servers in one group. One is the primary; the others are read-only. */
export interface GroupReplication {
  readonly nodes: readonly [DatabaseServer, DatabaseServer, DatabaseServer];
  /** Makes a member the primary, as an operator does before maintenance. */
  makePrimary(node: DatabaseServer): Promise<void>;
  stop(): Promise<void>;
}

const START_MS = 120_000;

/**
 * Starts a private group on free ports. The first node is its primary.
 * @throws Error when this machine has no MySQL (run .ci/fetch-mysql)
 */
export async function startGroupReplication(): Promise<GroupReplication> {
  const ports = await Promise.all([1, 2, 3].map(freePort));
  const group = randomUUID();
  const seeds = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const start = (id: number): Promise<DatabaseServer> =>
    startMysql(flagsOf({ id, port: ports[id - 1] ?? 0, group, seeds }));
  const nodes = [await start(1), await start(2), await start(3)] as const;
  for (const node of nodes) await prepare(node);
  const [first, ...others] = nodes;
  await on(first, async (connection) => {
    await connection.query('SET GLOBAL group_replication_bootstrap_group = ON');
    await connection.query('START GROUP_REPLICATION');
    await connection.query('SET GLOBAL group_replication_bootstrap_group = OFF');
  });
  for (const node of others) await on(node, (connection) => connection.query('START GROUP_REPLICATION'));
  await untilOnline(first, nodes.length);
  return {
    nodes,
    async makePrimary(node) {
      const [uuid] = await on(node, (connection) => connection.query('SELECT @@server_uuid AS id'));
      const [{ id }] = uuid as [{ id: string }];
      await on(node, (connection) => connection.query('SELECT group_replication_set_as_primary(?)', [id]));
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
    },
  };
}

function flagsOf({ id, port, group, seeds }: { id: number; port: number; group: string; seeds: string }): string[] {
  return [
    `--server-id=${id}`,
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    '--log-bin=bin',
    '--sync-binlog=0',
    '--performance-schema=1',
    '--report-host=127.0.0.1',
    '--plugin-load-add=group_replication.so',
    '--plugin-load-add=mysql_clone.so',
    `--loose-group-replication-group-name=${group}`,
    '--loose-group-replication-start-on-boot=OFF',
    `--loose-group-replication-local-address=127.0.0.1:${port}`,
    `--loose-group-replication-group-seeds=${seeds}`,
    '--loose-group-replication-ip-allowlist=127.0.0.1/8',
    '--loose-group-replication-recovery-get-public-key=ON',
  ];
}

/** Creates the account that members copy data with. */
async function prepare(node: DatabaseServer): Promise<void> {
  await on(node, async (connection) => {
    for (const statement of [
      'SET sql_log_bin = 0',
      "CREATE USER rpl@'%' IDENTIFIED BY 'rpl'",
      "GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO rpl@'%'",
      'SET sql_log_bin = 1',
      "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'rpl', SOURCE_PASSWORD = 'rpl' FOR CHANNEL 'group_replication_recovery'",
      'RESET BINARY LOGS AND GTIDS',
    ]) {
      await connection.query(statement);
    }
  });
}

async function untilOnline(node: DatabaseServer, members: number): Promise<void> {
  const deadline = performance.now() + START_MS;
  const sql =
    "SELECT COUNT(*) AS online FROM performance_schema.replication_group_members WHERE member_state = 'ONLINE'";
  for (;;) {
    const [rows] = await on(node, (connection) => connection.query(sql));
    if ((rows as [{ online: number }])[0].online === members) return;
    if (performance.now() > deadline) throw new Error(`the group has not ${members} members after ${START_MS} ms`);
    await pause(200);
  }
}

async function on<T>({ host, port, user, password }: DatabaseServer, work: (c: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ host, port, user, password });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
