import { createTestServer, select } from '@plat/server/testing';
import { expect, inject, test } from 'vitest';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { callOperation, createEveryObject, operations } from '../support/every-operation.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startMysql } from '../support/mysql.ts';
import { operate } from '../support/operator.ts';

/** Defaults of a database server that differ from those of the other stories. */
const FLAGS = [
  '--autocommit=0',
  '--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT',
  '--default-time-zone=+09:30',
  '--character-set-server=latin1',
  '--default-storage-engine=MyISAM',
  '--innodb-lock-wait-timeout=1',
  '--transaction-isolation=SERIALIZABLE',
  '--max-allowed-packet=1M',
];

const { kind } = inject('database');

test.runIf(kind !== 'sqlite')(
  'the defaults of the database server do not matter, and doctor reports a small packet',
  async () => {
    const database = await (kind === 'mysql' ? startMysql(FLAGS) : startMariadb({ flags: FLAGS }));
    await createDatabase(database, 'defaults');
    const url = databaseUrl(database, 'defaults');
    const server = await createTestServer({ databaseUrl: url });
    const { api, ids } = await createEveryObject(server);
    for (const [name] of operations.filter(([, { method }]) => method === 'GET')) {
      const { status, body } = await callOperation(api, name, (key) => ids[key]);
      expect(status, `${name} ${JSON.stringify(body)}`).toBe(200);
    }
    const name = `"ö" 'back\\slash\\`;
    expect((await api('/v1/clients', { body: { name } })).body.name).toBe(name);
    for (const name of ['clients.update', 'users.update', 'roles.update', 'clients.delete'] as const) {
      expect((await callOperation(api, name, (key) => ids[key])).status).toBe(200);
    }
    const engines = 'SELECT DISTINCT engine FROM information_schema.tables WHERE table_schema = DATABASE()';
    expect((await select(server.db, engines)).map((row) => Object.values(row))).toEqual([['InnoDB']]);
    await server.close();
    const { json } = await operate(url, 'doctor');
    expect(json).toContainEqual({
      check: 'database',
      result: 'warning',
      detail: `${kind}, max_allowed_packet is 1 MiB`,
      fix: 'set max_allowed_packet of the database server to at least 4 MiB',
    });
    await database.kill();
  },
);

test.runIf(kind === 'mysql')('doctor warns of a replication group with several primaries', async () => {
  const database = await startMysql([
    '--plugin-load-add=group_replication.so',
    '--loose-group-replication-start-on-boot=OFF',
    '--loose-group-replication-single-primary-mode=OFF',
  ]);
  await createDatabase(database, 'several');
  const url = databaseUrl(database, 'several');
  await operate(url, 'migrate', 'up');
  const { code, json } = await operate(url, 'doctor');
  expect(json).toContainEqual({
    check: 'database',
    result: 'warning',
    detail: 'mysql, group replication with several primaries, which is not supported',
    fix: 'run SELECT group_replication_switch_to_single_primary_mode() on a member of the group',
  });
  expect(code).toBe(0);
  await database.kill();
});
