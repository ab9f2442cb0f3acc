import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extractRelease, PREVIOUS_RELEASE } from '../drills/release.ts';
import { freePort } from '../support/free-port.ts';
import { repository, spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { composeText, type Engine, startEngine } from './engine.ts';

const run = promisify(execFile);

/** Making the base images and the image, and starts on a busy machine, take minutes. */
const LONG_MS = 900_000;
const IMAGE = 'plat-server';
const MAX_IMAGE_BYTES = 200_000_000;

const folder = tempFolder('containers');
const key = randomBytes(32).toString('base64');
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
  // Left by a run that was killed.
  await engine.docker('rm', '--force', '--volumes', 'one', 'after').catch(() => undefined);
  await engine.build(IMAGE, repository);
}, LONG_MS);
afterAll(async () => {
  await engine?.stop();
  folder.remove();
});

/** Flags of a server in production, restricted as compose.yaml restricts it. */
const RESTRICTED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
/** The image checks itself every ten seconds, for which the tests would wait. */
const CHECKED_OFTEN = ['--health-interval', '1s'];
const SETTINGS = { PLAT_MASTER_KEY: key, PLAT_BASE_URL: 'https://api.example.com' };
const CONFIGURED = Object.entries(SETTINGS).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

const inspect = (name: string, field: string): Promise<string> =>
  engine.docker('inspect', name, '--format', `{{${field}}}`);
/** Returns the status, or of an unhealthy container what its checks printed. */
async function healthOf(name: string): Promise<string> {
  const { Status, Log } = JSON.parse(await inspect(name, 'json .State.Health'));
  return Status === 'unhealthy' ? JSON.stringify(Log) : Status;
}
/** Other tests that run at the same time may leave the containers a tenth of a core. */
const becomesHealthy = (name: string): Promise<void> =>
  expect.poll(() => healthOf(name), { timeout: 240_000 }).toBe('healthy');
const inContainer = (name: string, code: string): Promise<string> => engine.docker('exec', name, 'node', '-p', code);

const OPERATE = ['node', 'packages/server/bin/plat-server.js'];

async function createTenant(exec: (...args: readonly string[]) => Promise<string>): Promise<void> {
  const owner = ['--owner-email', 'owner@example.com', '--owner-name', 'Owner'];
  expect(await exec(...OPERATE, 'tenants', 'create', '--name', 'Acme', ...owner, '--json')).toContain('plat_live_');
}

/** Creates a data folder with a tenant in it, as a container of the previous release leaves it. */
async function writeDataOfPrevious(data: string): Promise<void> {
  const release = await extractRelease(PREVIOUS_RELEASE);
  const env = { ...SETTINGS, NODE_ENV: 'production', PLAT_DATA_DIR: data, PORT: '0', LOG_FORMAT: 'pretty' };
  const server = spawnNode(release.entry, { args: ['serve'], env });
  await server.waitFor(/Base URL/);
  await createTenant(async (...args) => {
    const command = spawnNode(release.entry, { args: args.slice(OPERATE.length), env });
    await command.exited;
    return command.stdout();
  });
  await server.stop();
  release.remove();
  // The user of both images.
  await run('chown', ['--recursive', '1000:1000', data]);
}

describe('the image', { timeout: LONG_MS }, () => {
  test('is at most 200 MB', async () => {
    expect(Number(await engine.docker('image', 'inspect', IMAGE, '--format', '{{.Size}}'))).toBeLessThan(
      MAX_IMAGE_BYTES,
    );
  });

  test.each([
    ['PLAT_MASTER_KEY', []],
    ['PLAT_BASE_URL', ['--env', `PLAT_MASTER_KEY=${key}`]],
  ])('ends in production without %s, and names it', async (name, env) => {
    await expect(engine.docker('run', '--rm', ...env, IMAGE)).rejects.toThrow(name);
  });

  test('serves as an unprivileged user, read-only and without capabilities; ends at SIGTERM; keeps its volume', async () => {
    const port = await freePort();
    await engine.docker(
      ...['run', '--detach', '--name', 'one', '--publish', `127.0.0.1:${port}:4010`],
      ...CHECKED_OFTEN,
      ...RESTRICTED,
      ...CONFIGURED,
      IMAGE,
    );
    await becomesHealthy('one');
    expect(await inContainer('one', 'process.getuid()')).toBe('1000');
    expect(await inContainer('one', "/CapEff:\\s*0+$/m.test(fs.readFileSync('/proc/1/status', 'utf8'))")).toBe('true');
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    await createTenant((...args) => engine.docker('exec', 'one', ...args));

    await engine.docker('stop', '--time', '25', 'one');
    expect(await inspect('one', '.State.ExitCode')).toBe('0');
    await engine.docker('start', 'one');
    await becomesHealthy('one');
    expect(await engine.docker('exec', 'one', ...OPERATE, 'tenants', 'list', '--json')).toContain('Acme');
    await engine.docker('rm', '--force', '--volumes', 'one');
  });

  test('takes over the data of the previous release', async () => {
    const data = join(folder.path, 'upgraded');
    await writeDataOfPrevious(data);
    await engine.docker(
      ...['run', '--detach', '--name', 'after', '--volume', `${data}:/data`],
      ...CHECKED_OFTEN,
      ...RESTRICTED,
      ...CONFIGURED,
      IMAGE,
    );
    await becomesHealthy('after');
    expect(await engine.docker('exec', 'after', ...OPERATE, 'tenants', 'list', '--json')).toContain('Acme');
    await engine.docker('rm', '--force', '--volumes', 'after');
  });

  test('says that it cannot write to its data folder', async () => {
    const data = join(folder.path, 'of-root');
    mkdirSync(data);
    await expect(engine.docker('run', '--rm', '--volume', `${data}:/data`, ...CONFIGURED, IMAGE)).rejects.toThrow(
      'EACCES',
    );
  });
});

describe('compose.yaml', { timeout: LONG_MS }, () => {
  const file = join(folder.path, 'compose.yaml');
  const env = {
    PLAT_MASTER_KEY: key,
    DB_PASSWORD: randomBytes(24).toString('hex'),
    PLAT_BASE_URL: 'http://127.0.0.1:4010',
  };
  const compose = (...args: readonly string[]): Promise<string> => engine.compose(file, env, ...args);
  const inServer = (...args: readonly string[]): Promise<string> => compose('exec', '-T', 'server', ...args);
  beforeAll(async () => {
    // A free port of this machine.
    writeFileSync(file, composeText(IMAGE).replace('127.0.0.1:4010:4010', `127.0.0.1:${await freePort()}:4010`));
    await compose('--profile', 'workers', 'up', '--detach', '--scale', 'worker=2');
  }, LONG_MS);
  afterAll(() => engine && compose('--profile', 'workers', 'down', '--volumes', '--timeout', '25'));

  test('migrates, then starts a server and two workers on MariaDB and Redis', async () => {
    for (const name of ['plat_server_1', 'plat_worker_1', 'plat_worker_2']) await becomesHealthy(name);
    for (const name of ['plat_server_1', 'plat_worker_1']) {
      expect(await inspect(name, '.HostConfig.LogConfig.Type')).toBe('local');
    }
    await createTenant(inServer);
    const status = await inServer(...OPERATE, 'status', '--json');
    expect(JSON.parse(status).processes).toHaveLength(3);
    const clients = await engine.docker('exec', 'plat_redis_1', 'redis-cli', 'info', 'clients');
    expect(Number(/connected_clients:(\d+)/.exec(clients)?.[1])).toBeGreaterThan(1);
  });
});
