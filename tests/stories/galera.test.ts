import { randomBytes } from 'node:crypto';
import { HEADERS } from '@plat/contract';
import { createTestServer, execute, select, type TestServer, unitOfWork } from '@plat/server/testing';
import { claimsTableSql, createDedupe, createSqlStore } from '@plat/webhooks';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { conflictsOf, type Galera, hasGalera, startGalera, statusOf, suspectSoon } from '../support/galera.ts';
import type { NodeProcess } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createRaced, expectWhole, MANY_CHANGES } from '../support/sandbox-race.ts';
import { startServerProcess, startWorkerProcess } from '../support/server-process.ts';
import { openQuery } from '../support/sql-query.ts';
import { tempFolder } from '../support/temp-folder.ts';

/*
 * A cluster has its own nodes, and does not depend on the database of the other stories, so these tests run once.
 * Servers and workers are spread over the nodes, and each connects to one node only.
 */

const NODES = [0, 1, 2] as const;

describe.runIf(inject('database').kind === 'mariadb' && hasGalera())('on a Galera cluster of three nodes', () => {
  let cluster: Galera;
  let observer: TestServer;
  let servers: readonly (NodeProcess & { readonly baseUrl: string })[];
  let workers: readonly NodeProcess[];
  let tenantId: string;
  let apiKey: string;

  beforeAll(async () => {
    cluster = await startGalera();
    await createDatabase(cluster.nodes[0], 'plat');
    const shared = {
      PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
      ...MANY_CHANGES,
      // Longer than the stall of the other nodes after the loss of a node, or processes would take over each other's
      // shards.
      PLAT_LEASE_SECONDS: '10',
    };
    const at = (node: number) => ({
      ...shared,
      DATABASE_URL: databaseUrl(cluster.nodes[node] ?? cluster.nodes[0], 'plat'),
    });
    observer = await createTestServer({ databaseUrl: at(0).DATABASE_URL, env: { ...at(0), PLAT_DISPATCH: 'false' } });
    ({ tenantId, apiKey } = await observer.createTenant({ sandbox: false }));
    const folder = tempFolder('cluster').path;
    servers = await Promise.all([
      startServerProcess(at(0), `${folder}/0`, 'serve', '--no-dispatch'),
      startServerProcess(at(1), `${folder}/1`),
      startServerProcess(at(2), `${folder}/2`),
    ]);
    workers = await Promise.all([0, 2].map((node) => startWorkerProcess(at(node), `${folder}/worker${node}`)));
  }, 300_000);

  afterAll(async () => {
    await Promise.all([...(servers ?? []), ...(workers ?? [])].map((running) => running.kill9()));
    await observer?.close();
    await cluster?.stop();
  });

  const on = (node: number, key = apiKey): Api => apiOf(servers[node % NODES.length]?.baseUrl ?? '', key);
  const race = (times: number, call: (api: Api, i: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: times }, (_, i) => call(on(i), i)));

  test('a response of one node is visible to a request through another', async () => {
    for (let i = 0; i < 60; i++) {
      const { body } = await on(i)('/v1/clients', { body: { name: `Seen ${i}` } });
      const found = await Promise.all([on(i + 1), on(i + 2)].map((api) => api(`/v1/clients/${body.id}`)));
      expect(found.map(({ status }) => status)).toEqual([200, 200]);
    }
    const { tenantId: another } = await observer.createTenant();
    for (let i = 0; i < 20; i++) {
      const key = await observer.mintKey(another);
      expect(
        (await Promise.all([on(1, key), on(2, key)].map((api) => api('/v1/me')))).map(({ status }) => status),
      ).toEqual([200, 200]);
    }
  });

  test('a change outside of a transaction finds the rows that other nodes have committed', async () => {
    const sql = 'UPDATE clients SET updated_at = updated_at + 1 WHERE tenant_id = :tenantId AND id = :id';
    for (let i = 0; i < 60; i++) {
      const { body } = await on(1 + (i % 2))('/v1/clients', { body: { name: `Found ${i}` } });
      expect(await execute(observer.db, sql, { tenantId, id: body.id })).toBe(1);
    }
  });

  test('a reset while all nodes change the sandbox removes all of before, and no change survives in parts', async () => {
    const sandbox = await observer.createSandbox();
    const developer = await observer.mintDeveloperToken(sandbox.tenantId);
    const former = new Set<string>();
    for (let round = 0; round < 5; round++) {
      let isReset = false;
      const created = new Set<string | null>();
      const writers = Array.from({ length: 12 }, async (_, i) => {
        while (!isReset) created.add(await createRaced(on(i, sandbox.apiKey)));
      });
      await expect.poll(() => created.size).toBeGreaterThan(30);
      const reset = async () => {
        if (round % 2 === 0) return observer.resetSandbox(sandbox.tenantId);
        const { status } = await on(round, developer)('/developer/v1/sandbox/reset', { method: 'POST' });
        expect(status).toBe(200);
      };
      await reset().finally(async () => {
        isReset = true;
        await Promise.all(writers);
      });
      const clients = await expectWhole({ db: observer.db, tenantId: sandbox.tenantId });
      expect(clients.filter((id) => former.has(id) || !created.has(id))).toEqual([]);
      for (const id of created) if (id !== null) former.add(id);
    }
  });

  test('an app on two nodes claims each event once, and no claim fails', async () => {
    const apps = [0, 1].map((node) =>
      openQuery({ mysql: databaseUrl(cluster.nodes[node] ?? cluster.nodes[0], 'plat') }),
    );
    await apps[0]?.query(claimsTableSql('mysql'), []);
    const helpers = apps.map(({ query }) => createDedupe({ store: createSqlStore({ query, dialect: 'mysql' }) }));
    for (let round = 0; round < 40; round++) {
      const event = { id: `evt_${round}` };
      const claims = await Promise.all(
        Array.from({ length: 6 }, async (_, i) => {
          const dedupe = helpers[i % 2];
          const claim = await dedupe?.claim(event);
          return claim?.outcome === 'claimed' && (await dedupe?.complete(claim));
        }),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
    }
    for (const { close } of apps) await close();
  });

  test('of many creates of one slug on all nodes one wins, and the others are refused with SLUG_IN_USE', async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await race(9, (api) => api('/v1/clients', { body: { name: 'Race', slug: `race-${round}` } }));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) expectRefusal(answer, 'SLUG_IN_USE');
    }
  });

  test('many changes of one client on all nodes all count, each with a different timestamp', async () => {
    const { body: client } = await on(0)('/v1/clients', { body: { name: 'Busy' } });
    const answers = await race(12, (api, i) =>
      api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: `Busy ${i}` } }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(answers.map(({ body }) => body.updated_at)).size).toBe(12);
  });

  test('an Idempotency-Key used on all nodes at once has one effect', async () => {
    for (let round = 0; round < 5; round++) {
      const headers = { [HEADERS.idempotencyKey]: `everywhere-${round}` };
      const answers = await race(9, (api) => api('/v1/clients', { body: { name: 'Once' }, headers }));
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
      const others = answers.filter(({ status }) => status !== 201);
      for (const answer of others) expectRefusal(answer, 'IDEMPOTENCY_KEY_IN_USE');
    }
  });

  test('no node prepares a statement, because the error of a conflict may be lost then', async () => {
    const prepared = () => Promise.all(cluster.nodes.map((node) => statusOf(node, 'Com_stmt_prepare')));
    const before = await prepared();
    for (const { body } of await race(9, (api) => api('/v1/clients', { body: { name: 'Text' } })))
      for (const node of NODES) expect((await on(node)(`/v1/clients/${body.id}`)).body).toEqual(body);
    expect(await prepared()).toEqual(before);
  });

  test('a client that one node deletes while others refer to it is a member of no group, and has no location and no user', async () => {
    for (let round = 0; round < 8; round++) {
      const [{ body: client }, { body: group }] = await Promise.all([
        on(0)('/v1/clients', { body: { name: 'Gone' } }),
        on(1)('/v1/groups', { body: { name: 'Group' } }),
      ]);
      await race(9, (api, i) => {
        if (i === 4) return api(`/v1/clients/${client.id}`, { method: 'DELETE' });
        const [path, body] = [
          [`/v1/groups/${group.id}/members`, { client_id: client.id }],
          [`/v1/clients/${client.id}/locations`, { name: 'Store', country: 'DE' }],
          ['/v1/users', { email: `of-${round}-${i}@example.com`, role: 'viewer', client_id: client.id }],
        ][Math.floor(i / 3)] as [string, object];
        return api(path, { body });
      });
      const where = { tenantId, id: client.id };
      const members = 'SELECT 1 FROM group_members WHERE tenant_id = :tenantId AND client_id = :id';
      expect(await select(observer.db, members, where)).toEqual([]);
      const locations = 'SELECT 1 FROM locations WHERE tenant_id = :tenantId AND owner_id = :id';
      expect(await select(observer.db, locations, where)).toEqual([]);
      const users = 'SELECT 1 FROM users WHERE tenant_id = :tenantId AND client_id = :id';
      expect(await select(observer.db, users, where)).toEqual([]);
      expect((await on(2)(`/v1/groups/${group.id}`)).body.member_count).toBe(0);
    }
  });

  test('of the locations that all nodes create and make the default, exactly one is, and no call is refused', async () => {
    const { body: client } = await on(0)('/v1/clients', { body: { name: 'Places' } });
    const path = `/v1/clients/${client.id}/locations`;
    const place = { name: 'Store', country: 'DE' };
    const made = await race(6, (api) => api(path, { body: place }));
    for (let round = 0; round < 4; round++) {
      const answers = await race(9, (api, i) =>
        i % 3 === round % 3
          ? api(path, { body: { ...place, default: true } })
          : api(`${path}/${made[i % 6]?.body.id}`, { method: 'PATCH', body: { default: true } }),
      );
      for (const { status, body } of [...made, ...answers]) expect([200, 201], JSON.stringify(body)).toContain(status);
      const { body } = await on(round)(`${path}?limit=100`);
      expect(body.data.filter((location: { default: boolean }) => location.default)).toHaveLength(1);
    }
  });

  test('an owner of a group whom one node removes, another invites and a third one deactivates ends as no owner', async () => {
    for (let round = 0; round < 8; round++) {
      const { body: group } = await on(0)('/v1/groups', { body: { name: 'Owned' } });
      const email = `owner-${round}@example.com`;
      const user = (await on(1)('/v1/users', { body: { email, role: 'viewer' } })).body;
      const sql = "UPDATE users SET status = 'active', invitation_hash = NULL WHERE tenant_id = :tenantId AND id = :id";
      await unitOfWork(observer.db, (transaction) => execute(observer.db, sql, { tenantId, id: user.id }, transaction));
      const owners = `/v1/groups/${group.id}/owners`;
      if (round % 2 === 0) await on(2)(owners, { body: { email } });
      const [, deactivated] = await race(3, (api, i) => {
        if (i === 1) return api(`/v1/users/${user.id}/deactivate`, { method: 'POST' });
        return i === 0 ? api(owners, { body: { email } }) : api(`${owners}/${user.id}`, { method: 'DELETE' });
      });
      expect(deactivated?.status).toBe(200);
      expect((await on(0)(owners)).body.data).toEqual([]);
      const count = async (type: string) => {
        const events = 'SELECT 1 FROM events WHERE tenant_id = :tenantId AND type = :type AND payload LIKE :user';
        return (await select(observer.db, events, { tenantId, type, user: `%"user_id":"${user.id}"%` })).length;
      };
      expect(await count('group.owner_removed')).toBe(await count('group.owner_invited'));
    }
  });

  test('events written on all nodes are delivered once each by workers on other nodes, with few conflicts', async () => {
    const receivers = await Promise.all(Array.from({ length: 8 }, startReceiver));
    const before = await conflictsOf(cluster.nodes);
    for (const { url } of receivers) await on(0)('/v1/webhooks/endpoints', { body: { url, events: ['*'] } });
    const answers = (await Promise.all(NODES.flatMap((node) => [node, node].map((at) => write(on(at), 40))))).flat();
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    for (const receiver of receivers) await receiver.waitFor(answers.length, 60_000);
    await settled();

    for (const receiver of receivers) expect(arrivedOnce(receiver)).toHaveLength(answers.length);
    const after = await conflictsOf(cluster.nodes);
    const transactions = after.committed - before.committed;
    expect(after.conflicts - before.conflicts, `of ${transactions} transactions`).toBeLessThan(transactions / 5);
    await removeEndpoints(receivers);
  });

  test('when a node is killed its processes answer 503; the others continue, and every event arrives', async () => {
    const receivers = await Promise.all(Array.from({ length: 8 }, startReceiver));
    for (const { url } of receivers) await on(0)('/v1/webhooks/endpoints', { body: { url, events: ['*'] } });
    await write(on(2), 20);
    await suspectSoon(cluster.nodes);
    await cluster.nodes[2].kill();
    const answers = (await Promise.all([write(on(0), 40), write(on(1), 40)])).flat();
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    expectRefusal(await on(2)('/v1/clients', { body: { name: 'Nowhere' } }), 'SERVICE_UNAVAILABLE');
    await expect.poll(async () => (await on(2)('/readyz')).status).toBe(503);

    await settled();
    const sql = `SELECT event_id AS id FROM webhook_deliveries WHERE tenant_id = :tenantId AND endpoint_id = :endpointId`;
    const { body: endpoints } = await on(0)('/v1/webhooks/endpoints');
    for (const { id: endpointId, url } of endpoints.data) {
      const committed = await select<{ id: string }>(observer.db, sql, { tenantId, endpointId });
      const receiver = receivers.find((one) => `${one.url}/` === url || one.url === url);
      const arrived = new Set(receiver?.received.map(({ headers }) => headers[HEADERS.eventId]));
      expect(committed.length).toBeGreaterThanOrEqual(answers.length);
      expect(committed.filter(({ id }) => !arrived.has(id))).toEqual([]);
    }
    await removeEndpoints(receivers);
  }, 180_000);

  test('a node that has lost the others answers 503', async () => {
    await cluster.nodes[1].kill();
    // A write that is in progress when the others leave is given up only then.
    const create = () => on(0)('/v1/clients', { body: { name: 'Alone' } });
    await expect.poll(async () => (await create()).status, { interval: 500 }).toBe(503);
    await expect.poll(() => statusOf(cluster.nodes[0], 'wsrep_ready')).toBe('OFF');
    expectRefusal(await create(), 'SERVICE_UNAVAILABLE');
    expectRefusal(await on(0)('/v1/clients'), 'SERVICE_UNAVAILABLE');
    await expect.poll(async () => (await on(0)('/readyz')).status).toBe(503);
  });

  /** Creates clients one after the other, and changes every second one. */
  async function write(api: Api, times: number): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (answers.length < times) {
      const made = await api('/v1/clients', { body: { name: 'Written' } });
      const changed = await api(`/v1/clients/${made.body.id}`, { method: 'PATCH', body: { name: 'Changed' } });
      answers.push(made, changed);
    }
    return answers;
  }

  /** Waits until no delivery is pending. */
  async function settled(): Promise<void> {
    const sql = "SELECT COUNT(*) AS pending FROM webhook_deliveries WHERE status = 'pending'";
    const pending = async () => (await select<{ pending: number }>(observer.db, sql))[0]?.pending;
    await expect.poll(pending, { timeout: 90_000, interval: 200 }).toBe(0);
  }

  async function removeEndpoints(receivers: readonly Receiver[]): Promise<void> {
    const { body } = await on(0)('/v1/webhooks/endpoints');
    for (const { id } of body.data) await on(0)(`/v1/webhooks/endpoints/${id}`, { method: 'DELETE' });
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
});

/** Returns the events that a receiver got, after it asserted that each came once. */
function arrivedOnce({ received }: Receiver): string[] {
  const ids = received.map(({ body }): string => JSON.parse(body).id);
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
}
