import { execute, select, unitOfWork } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { expectLockWait } from '../support/lock-wait.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';

// Operator commands where database servers differ from SQLite: several writers, and columns of ASCII.

const story = useServer();

const run = (...args: string[]) => operate(story.database.url, ...args);

test('a developer account that another process creates meanwhile is named in one line', async () => {
  const { db } = story.server;
  const create = ['developers', 'create', '--email', 'twice@example.com'];
  const { json } = await run(...create);
  const [row] = await select<{ email_hash: Buffer }>(db, 'SELECT email_hash FROM developers WHERE id = :id', {
    id: json.developer_id,
  });
  if (!row) throw new Error('the account has no row');
  const setHash = (hash: Buffer, transaction: Parameters<typeof execute>[3]) =>
    execute(
      db,
      'UPDATE developers SET email_hash = :hash WHERE id = :id',
      { hash, id: json.developer_id },
      transaction,
    );
  await setHash(Buffer.alloc(32), null);
  // The account exists from the commit on. The command looks for it before, and inserts its own behind it.
  const refused = await unitOfWork(db, async (transaction) => {
    await setHash(row.email_hash, transaction);
    const running = run(...create);
    if (db.kind !== 'sqlite') await expectLockWait(db);
    return { running };
  });
  expect(await refused.running).toMatchObject({
    code: 1,
    stderr: 'plat-server: twice@example.com has a developer account already\n',
  });
});

test('a tenant is found by a name that is not ASCII', async () => {
  const { json } = await run('tenants', 'create', '--name', 'Müller & Söhne', '--owner-email', 'ada@mueller.example');
  expect((await run('tenants', 'search', 'Müller')).json).toMatchObject([{ id: json.tenant_id }]);
  expect((await run('tenants', 'search', json.tenant_id)).json).toMatchObject([{ id: json.tenant_id }]);
  expect((await run('tenants', 'search', 'Möller')).json).toEqual([]);
});

test('an id or a slug that is not ASCII is refused in one line', async () => {
  const { tenantId } = await story.server.createTenant({ sandbox: false });
  const launch = ['launch', '--tenant', tenantId, '--client', 'ü', '--user', 'ü', '--module', 'ü'];
  for (const [args, message] of [
    [['apps', 'verify', 'ü'], /^plat-server: There is no app ü\n$/],
    [['apps', 'delete', 'ü', '--yes'], /^plat-server: There is no app ü\n$/],
    [['tenants', 'plan', tenantId, 'ü'], /^plat-server: the catalog has no plan "ü"/],
    [['deliveries', tenantId, '--endpoint', 'ü'], /^error: option '--endpoint <endpoint_id>' argument 'ü' is invalid/],
    [['deliveries', tenantId, '--event', 'ü'], /^error: option '--event <event_id>' argument 'ü' is invalid/],
    [launch, /^plat-server: There is no such module in the catalog\n$/],
  ] as const) {
    expect((await run(...args)).stderr).toMatch(message);
  }
});
