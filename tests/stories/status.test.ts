import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execute, select } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { operate } from '../support/operator.ts';
import { spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PLAT_MASTER_KEY = Buffer.alloc(32, 5).toString('base64');
const story = useServer({ env: { PLAT_MASTER_KEY } });
const run = (...args: string[]) => operate({ DATABASE_URL: story.database.url, PLAT_MASTER_KEY }, ...args);

test('status shows schema, processes, queues and clocks, and names what needs the operator', async () => {
  const { db } = story.server;
  await expect.poll(() => select(db, 'SELECT id FROM processes')).toHaveLength(1);
  const { code, json } = await run('status');
  expect(code).toBe(0);
  expect(json).toMatchObject({
    program: { version: expect.stringMatching(/^\d+\./), node: process.versions.node },
    database: db.kind,
    schema: { applied: expect.any(Number), pending: [], newer: [] },
    processes: [{ kind: 'server', pid: process.pid, alive: true, commit: null }],
    queues: { deliveries_due: 0, delivery_oldest_due_seconds: 0, endpoints_paused: 0, replays: 0, mails_queued: 0 },
    notes: [],
  });
  expect(json.queues.shards).toEqual({ total: 64, held: 64, holders: 1 });
  expect(Math.abs(json.clock_offset_ms)).toBeLessThan(30_000);

  await execute(
    db,
    `INSERT INTO processes (id, kind, host, pid, version, clock_offset_ms, started_at, seen_at)
     SELECT 'dead', 'worker', 'otherhost', 7, '0.0.1', 90000, started_at, seen_at - 60000 FROM processes`,
  );
  await execute(db, "INSERT INTO schema_migrations (name) VALUES ('9999-later')");
  const { json: later } = await run('status');
  expect(later.notes).toEqual([
    expect.stringMatching(/^the database has migrations of a newer version than .*: 9999-later$/),
    expect.stringMatching(
      /^the worker otherhost:7 was last seen at \d{4}-.*Z: it was killed, or this database was restored from a backup$/,
    ),
  ]);
  await execute(db, "DELETE FROM processes WHERE id = 'dead'");
  await execute(db, "DELETE FROM schema_migrations WHERE name = '9999-later'");
});

test('doctor checks an installation, and gives a fix for each problem', async () => {
  const healthy = await run('doctor');
  expect(healthy.json.filter(({ result }: { result: string }) => result === 'failed')).toEqual([]);
  expect(healthy.json.map(({ check }: { check: string }) => check)).toContain('database writes');
  expect(healthy.code).toBe(0);

  const closed = await closedPort();
  const { code, json } = await operate(
    {
      DATABASE_URL: story.database.url,
      PLAT_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
      REDIS_URL: `redis://127.0.0.1:${closed}`,
      SMTP_URL: `smtp://127.0.0.1:${closed}`,
      MAIL_FROM: 'plat@example.com',
      PLAT_WEBHOK_ALLOW: '10.0.0.0/8',
    },
    'doctor',
  );
  expect(code).toBe(1);
  const problems = json.filter(({ result }: { result: string }) => result !== 'ok');
  expect(problems.map(({ check, result }: Record<string, string>) => `${check} ${result}`)).toEqual([
    'configuration warning',
    'master key failed',
    'redis failed',
    'mail failed',
  ]);
  for (const { fix } of problems) expect(fix).toMatch(/\w/);
});

test('without a base URL on a wildcard host, a production server does not start; doctor and config check say why', async () => {
  const env = { NODE_ENV: 'production', HOST: '0.0.0.0', PLAT_MASTER_KEY };
  const dataDir = tempFolder('no-base-url').path;
  const server = spawnNode('packages/server/src/main.ts', { env: { ...env, PORT: '0', PLAT_DATA_DIR: dataDir } });
  expect(await server.exited).toMatchObject({ code: 1 });
  expect(server.stderr()).toMatch(
    /^plat-server: PLAT_BASE_URL is required in production when HOST is 0\.0\.0\.0: .*\n$/,
  );
  expect(readdirSync(dataDir)).toEqual([]);

  const problem = expect.stringMatching(/^PLAT_BASE_URL is required/);
  const check = (...command: string[]) => operate({ ...env, DATABASE_URL: story.database.url }, ...command);
  const [doctor, config] = await Promise.all([check('doctor'), check('config', 'check')]);
  expect(doctor).toMatchObject({ code: 1, json: [{ check: 'configuration', result: 'failed', detail: problem }] });
  expect(config).toMatchObject({ code: 1, json: { problems: [problem] } });
});

test('doctor and status say that there is no database, and create none', async () => {
  const path = join(tempFolder('no-database').path, 'plat.db');
  const { code, json } = await operate(`sqlite:${path}`, 'doctor');
  expect(code).toBe(1);
  expect(json).toContainEqual({
    check: 'database',
    result: 'failed',
    detail: `there is no database at ${path}: set PLAT_DATA_DIR or DATABASE_URL, or run plat-server migrate up`,
    fix: expect.any(String),
  });
  const status = await operate(`sqlite:${path}`, 'status');
  expect(status).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no database') });
});

test('config check prints effective values without secrets, and refuses unknown variables', async () => {
  const env = {
    DATABASE_URL: 'mysql://plat:hush-1@db.internal:3306/plat',
    SMTP_URL: 'smtps://mailer:hush-2@mail.internal:465?proxy=hush-3',
    PLAT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PLAT_WEBHOOKS_CONCURRENCY: '4',
    MAIL_FROM: 'plat@example.com',
  };
  const { code, json, stdout } = await operate(env, 'config', 'check');
  expect(code).toBe(1);
  expect(json.unknown).toEqual([{ variable: 'PLAT_WEBHOOKS_CONCURRENCY', similar: 'PLAT_WEBHOOK_CONCURRENCY' }]);
  expect(json.problems).toEqual([]);
  expect(json.settings).toContainEqual({ variable: 'PORT', value: '4010', source: 'default' });
  expect(json.settings).toContainEqual({
    variable: 'DATABASE_URL',
    value: 'mysql://plat:[redacted]@db.internal:3306/plat',
    source: 'environment',
  });
  for (const secret of ['hush', env.PLAT_MASTER_KEY]) expect(stdout).not.toContain(secret);
  const text = spawnNode('packages/server/src/main.ts', { args: ['config', 'check'], env });
  expect((await text.exited).code).toBe(1);
  expect(text.stdout()).toContain('unknown  PLAT_WEBHOOKS_CONCURRENCY: did you mean PLAT_WEBHOOK_CONCURRENCY?');
  expect(text.stdout()).not.toContain('hush');
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
