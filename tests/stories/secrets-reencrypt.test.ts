import { randomBytes } from 'node:crypto';
import { createTestServer, execute, select, type TestServer } from '@plat/server/testing';
import { createVerifier } from '@plat/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { launchWorld } from '../support/launch.ts';
import { type OperatorAnswer, type OperatorEnv, operate } from '../support/operator.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { spawnNode } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { waitUntilSent } from '../support/sent-once.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const MAILS = 350;
const [OLD, NEW] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
const BOTH = `${NEW},${OLD}`;

let database: FreshDatabase;
let receiver: Receiver;
/** Objects that were created while the old key was the only one. */
let made: {
  readonly apiKey: string;
  readonly endpointId: string;
  readonly launch: Parameters<TestServer['launch']>[0];
  readonly kept: unknown;
};
/** Every secret that the endpoint ever had. */
const secrets: string[] = [];

const withKeys = (PLAT_MASTER_KEY = ''): OperatorEnv => ({ DATABASE_URL: database.url, PLAT_MASTER_KEY });
const open = (keys = '') =>
  createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY: keys } });
const createOnce = (api: Api) =>
  api('/v1/clients', { body: { name: 'Kept' }, headers: { 'Idempotency-Key': 'before-the-rotation' } });

beforeAll(async () => {
  database = await migratedDatabase();
  receiver = await startReceiver();
  const server = await open(OLD);
  const world = await launchWorld(server);
  const { tenantId, ownerId: userId, clients } = world;
  const apiKey = await server.mintKey(tenantId);
  const api = apiOf(server.baseUrl, apiKey);
  const { body: endpoint } = await api('/v1/webhooks/endpoints', {
    body: { url: receiver.url, events: ['client.created'] },
  });
  secrets.push(endpoint.secret);
  for (let i = 0; i < MAILS; i++) {
    await server.queueMail({ to: 'ada@example.com', subject: `Mail ${i}`, text: `Text ${i}`, kind: 'test' });
  }
  const { body: kept } = await createOnce(api);
  const launch = { tenantId, userId, clientId: clients[0], moduleSlug: 'analytics' };
  made = { apiKey, endpointId: endpoint.id, launch, kept };
  await server.close();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

/** Returns how many mails each key has sealed. */
async function mailsByKey(): Promise<number[]> {
  const server = await open(BOTH);
  const rows = await select<{ mark: string; mails: number }>(
    server.db,
    'SELECT HEX(SUBSTR(body, 1, 5)) AS mark, COUNT(*) AS mails FROM mails GROUP BY HEX(SUBSTR(body, 1, 5))',
  );
  await server.close();
  return rows.map(({ mails }) => mails).sort((a, b) => a - b);
}

const kindsOf = ({ json }: OperatorAnswer) =>
  Object.fromEntries(json.kinds.map(({ kind, ...counts }: { kind: string }) => [kind, counts]));

describe('the replacement of the master key, step by step', () => {
  test('with the new key in front, status prints the remaining work, and exits with 1', async () => {
    const status = await operate(withKeys(BOTH), 'secrets', 'status');
    expect(status).toMatchObject({ code: 1, json: { old_keys_removable: false, unreadable: [] } });
    expect(kindsOf(status)).toEqual({
      'endpoint secret': { current: 0, to_reencrypt: 1, unreadable: 0 },
      'previous endpoint secret': { current: 0, to_reencrypt: 0, unreadable: 0 },
      'signing key': { current: 0, to_reencrypt: 1, unreadable: 0 },
      'stored response': { current: 0, to_reencrypt: 1, unreadable: 0 },
      mail: { current: 0, to_reencrypt: MAILS, unreadable: 0 },
    });
    expect(status.json.notes).toEqual([expect.stringMatching(/^\d+ values .* secrets reencrypt$/)]);
  });

  test('with the new key alone no value can be read: the rows are named, with the missing key', async () => {
    const status = await operate(withKeys(NEW), 'secrets', 'status');
    expect(status).toMatchObject({ code: 1, json: { old_keys_removable: false } });
    expect(status.json.unreadable).toHaveLength(MAILS + 3);
    expect(status.json.unreadable[0]).toMatchObject({
      kind: 'endpoint secret',
      row: `${made.launch.tenantId} ${made.endpointId}`,
      reason: expect.stringMatching(/^sealed under the key 01[0-9a-f]{8}, which PLAT_MASTER_KEY does not have$/),
      remedy: expect.stringContaining('rotate_secret'),
    });
    expect(status.json.notes).toEqual([expect.stringMatching(/after the first/)]);
  });

  test('for people, the advice comes first, and a problem of many values takes one line', async () => {
    const run = spawnNode('packages/server/src/main.ts', {
      args: ['secrets', 'status'],
      env: { ...withKeys(NEW), LOG_LEVEL: 'warn', PLAT_DATA_DIR: tempFolder('reencrypt').path },
    });
    expect(await run.exited).toEqual({ code: 1, signal: null });
    const [, , , , , , ...advice] = run
      .stdout()
      .split('\n')
      .filter((line) => line !== '');
    const endpoint = `${made.launch.tenantId} ${made.endpointId}`;
    expect(advice).toEqual([
      expect.stringMatching(`^${MAILS + 3} values cannot be read: add the key that they name`),
      expect.stringMatching(
        `^endpoint secret \\(${endpoint}\\): sealed under the key .*; its deliveries are postponed`,
      ),
      expect.stringMatching(/^signing key \([^ ]+\): sealed under the key .*; plat-server signing-keys retire/),
      expect.stringMatching(/^stored response \([^,]+\): sealed under the key .*; it is deleted within 24 hours/),
      expect.stringMatching(
        `^mail \\([^ ]+, [^ ]+, [^ ]+ and ${MAILS - 3} more, which --json names\\): sealed under the key .*; it fails after`,
      ),
    ]);
  });

  test('a run that is killed has finished whole batches, and the next run does the rest', async () => {
    const killed = spawnNode('tests/support/killed-reencrypt.ts', { env: withKeys(BOTH) });
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await mailsByKey()).toEqual([100, MAILS - 100]);
  });

  test('while servers send and rotate, two runs at once seal the remaining values with the new key, each once', async () => {
    const dataDir = tempFolder('reencrypt').path;
    const env = { ...withKeys(BOTH), PLAT_RATE_LIMIT: '1000000' };
    const servers = await Promise.all([startServerProcess(env, dataDir), startServerProcess(env, dataDir)]);
    let isOver = false;
    const load = Promise.all(servers.map((server, i) => useServer(server, i === 0, () => isOver)));
    await receiver.waitFor(10);
    const runs = await Promise.all([1, 2].map(() => operate(withKeys(BOTH), 'secrets', 'reencrypt')));
    await receiver.waitFor(receiver.received.length + 10);
    isOver = true;
    await load;
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual([1, 2].map(() => ({ code: 0, stderr: '' })));
    for (const { json } of runs) {
      expect(json).toMatchObject({ old_keys_removable: true, unreadable: [] });
      expect(json.notes.join()).toMatch(/remove old keys[\s\S]*signs out/);
    }
    const mails = runs.map((run) => kindsOf(run)['mail'].reencrypted);
    expect(mails.reduce((sum, count) => sum + count)).toBe(MAILS - 100);
    expect((await operate(withKeys(BOTH), 'secrets', 'status')).code).toBe(0);

    await waitUntilSent(await watched());
    const exits = await Promise.all(servers.map((server) => server.stop()));
    expect(exits).toEqual(servers.map(() => ({ code: 0, signal: null })));
    expect(receiver.received.map(({ headers, body }) => isAuthentic(headers, body))).not.toContain(false);
  }, 180_000);

  test('no key may go while a process that was left out encrypts with another one', async () => {
    const late = await startServerProcess(withKeys(`${OLD},${NEW}`));
    const named = expect.stringMatching(`encrypt with another key than the first: server [^ ]+:${late.pid}\\. Restart`);
    await expect
      .poll(async () => (await operate(withKeys(BOTH), 'secrets', 'reencrypt')).json.notes, { interval: 500 })
      .toEqual([named]);
    const status = await operate(withKeys(BOTH), 'secrets', 'status');
    expect(status).toMatchObject({ code: 1, json: { old_keys_removable: false, unreadable: [], notes: [named] } });
    const wrong = await operate(withKeys(randomBytes(32).toString('base64')), 'secrets', 'status');
    expect(wrong.json.notes).toEqual([
      expect.stringMatching(/^\d+ values cannot be read/),
      // Servers of the tests before, if they were killed, are named for 45 s.
      expect.stringMatching(`server [^ ]+:${late.pid}[,.].* Do not restart`),
    ]);
    const left = await startServerProcess(withKeys(BOTH));
    await expect
      .poll(async () => (await operate(withKeys(BOTH), 'status')).json.notes, { interval: 500 })
      .toContainEqual(expect.stringMatching(/^processes encrypt with different master keys/));
    await left.stop();
    await late.stop();
    expect((await operate(withKeys(BOTH), 'secrets', 'status')).code).toBe(0);
  });

  test('a server with the new key alone sends, launches, replays idempotent responses and reads mails', async () => {
    const count = receiver.received.length;
    const server = await createTestServer({ databaseUrl: database.url, env: { PLAT_MASTER_KEY: NEW ?? '' } });
    const api = apiOf(server.baseUrl, made.apiKey);
    await api('/v1/clients', { body: { name: 'After' } });
    await receiver.waitFor(count + 1);
    expect(receiver.received.slice(count).map(({ headers, body }) => isAuthentic(headers, body))).toEqual([true]);
    expect(await server.launch(made.launch)).toMatch(/^eyJ/);
    expect((await createOnce(api)).body).toEqual(made.kept);
    const mails = await server.mails();
    expect(mails.map(({ text }) => text)).toEqual(mails.map(({ subject }) => subject.replace('Mail', 'Text')));
    await server.close();
    const last = await operate(withKeys(NEW), 'secrets', 'reencrypt');
    expect(last).toMatchObject({ code: 0, json: { old_keys_removable: true, unreadable: [] } });
  });

  /** Creates clients through a server, and rotates the endpoint's secret with an overlap, until the run is over. */
  async function useServer({ baseUrl }: ServerProcess, rotates: boolean, isOver: () => boolean): Promise<void> {
    const api = apiOf(baseUrl, made.apiKey);
    while (!isOver()) {
      expect((await api('/v1/clients', { body: { name: 'Load' } })).status).toBe(201);
      if (!rotates) continue;
      const path = `/v1/webhooks/endpoints/${made.endpointId}/rotate_secret`;
      const { status, body } = await api(path, { body: { expires_in: 3600 } });
      expect(status).toBe(200);
      secrets.push(body.secret);
    }
  }

  let watching: TestServer | undefined;
  afterAll(() => watching?.close());
  async function watched(): Promise<TestServer> {
    watching ??= await open(BOTH);
    return watching;
  }

  function isAuthentic(headers: Receiver['received'][number]['headers'], body: string): boolean {
    return createVerifier({ secrets }).verify(body, headers).object === 'event';
  }
});

test('without --json the command prints a table, the rows that cannot be read, and the next step', async () => {
  const server = await open(NEW);
  const id = await server.queueMail({ to: 'ada@example.com', subject: 'Lost', text: 'Lost', kind: 'test' });
  await execute(server.db, 'DELETE FROM mails WHERE id <> :id', { id });
  await server.close();
  const run = spawnNode('packages/server/src/main.ts', {
    args: ['secrets', 'reencrypt'],
    env: { ...withKeys(OLD), LOG_LEVEL: 'warn', PLAT_DATA_DIR: tempFolder('reencrypt').path },
  });
  expect(await run.exited).toEqual({ code: 1, signal: null });
  expect(run.stdout()).toMatch(/^kind +reencrypted +already_current +unreadable$/m);
  expect(run.stdout()).toMatch(/^mail +0 +0 +1$/m);
  expect(run.stdout()).toMatch(
    new RegExp(`^mail \\(${id}\\): sealed under the key 01[0-9a-f]{8}, .*; it fails after a day`, 'm'),
  );
  expect(run.stdout()).not.toContain(OLD);
  expect(run.stderr()).toBe('');
});

test('the command reads its tables by their primary keys', async () => {
  const server = await open(BOTH);
  try {
    const plans = await plansOf(server, () => server.reencryptSecrets());
    expect(plans.length).toBeGreaterThanOrEqual(5);
    for (const [statement, plan] of plans) expect(plan, statement).not.toMatch(BAD_PLAN);
  } finally {
    await server.close();
  }
});
