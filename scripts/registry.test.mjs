import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestServer } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startDaemon } from '../tests/support/daemon.ts';
import { freePort } from '../tests/support/free-port.ts';
import { launchWorld } from '../tests/support/launch.ts';
import { startReceiver } from '../tests/support/receiver.ts';
import { tempFolder } from '../tests/support/temp-folder.ts';
import { packedPackages } from './lib/pack.mjs';

const run = promisify(execFile);
const installed = inject('runtimes');
const folder = tempFolder('registry');
let stop;
let server;
let registry;
let environment;

beforeAll(async () => {
  if (installed === null) return;
  server = await createTestServer();
  const port = await freePort();
  registry = `http://127.0.0.1:${port}/`;
  // Packages of others come from the registry of this machine.
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
  writeFileSync(
    join(folder.path, 'verdaccio.yaml'),
    JSON.stringify({
      storage: join(folder.path, 'storage'),
      uplinks: { upstream: { url: upstream } },
      packages: {
        '@plat/*': { access: '$all', publish: '$all' },
        '**': { access: '$all', proxy: 'upstream' },
      },
      log: { type: 'stdout', level: 'warn' },
    }),
  );
  const program = join(installed, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const daemon = await startDaemon({
    name: 'Verdaccio',
    command: process.execPath,
    args: [program, '--config', join(folder.path, 'verdaccio.yaml'), '--listen', `127.0.0.1:${port}`],
    folder: tempFolder('verdaccio'),
    ping: async () => (await fetch(`${registry}-/ping`)).text(),
  });
  stop = () => daemon.stop();
  const userConfig = join(folder.path, 'npmrc');
  // npm publishes with a token only; the registry accepts any.
  writeFileSync(userConfig, `registry=${registry}\n//127.0.0.1:${port}/:_authToken=none\n`);
  environment = { ...process.env, NPM_CONFIG_USERCONFIG: userConfig, NPM_CONFIG_UPDATE_NOTIFIER: 'false' };
  for (const { name, tarball } of await packedPackages()) {
    await npm(folder.path, 'publish', tarball, '--access', 'public');
    expect((await npm(folder.path, 'view', name, 'version')).trim()).toMatch(/^\d+\.\d+\.\d+$/);
  }
}, 300_000);
afterAll(async () => {
  await stop?.();
  await server?.close();
  folder.remove();
});

/** The first steps of a user with three packages. Prints the client, the verified event and the verified role. */
const firstSteps = (prefix = '') => `
import { createLaunchVerifier } from '${prefix}@plat/launch-token';
import { Platform } from '${prefix}@plat/sdk';
import { createVerifier } from '${prefix}@plat/webhooks';
const { secret, delivery, token } = JSON.parse(process.env.RECEIVED);
const { name } = await new Platform().clients.create({ name: 'Acme' });
const { type } = createVerifier({ secrets: secret }).verify(delivery.body, delivery.headers);
const launches = createLaunchVerifier({ issuer: process.env.PLAT_BASE_URL, audience: 'analytics' });
console.log(name, type, (await launches.verify(token)).role);
`;
const PRINTED = 'Acme client.created owner\n';

/** Creates a tenant, lets the platform deliver an event of it, and launches a module. Returns the variables of a program. */
async function prepare() {
  const { tenantId, apiKey, ownerId, clients, api } = await launchWorld(server);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const endpoint = { url: receiver.url, events: ['client.created'] };
  const { secret } = (await api('/v1/webhooks/endpoints', { body: endpoint })).body;
  await api('/v1/clients', { body: { name: 'First' } });
  await receiver.waitFor(1);
  const token = await server.launch({ tenantId, moduleSlug: 'analytics', clientId: clients[0], userId: ownerId });
  const received = JSON.stringify({ secret, delivery: receiver.received[0], token });
  return { PLAT_API_KEY: apiKey, PLAT_BASE_URL: server.baseUrl, RECEIVED: received };
}

/** Writes a program into a new folder. Returns the folder. */
function write(name, program) {
  const home = join(folder.path, name);
  mkdirSync(home);
  writeFileSync(join(home, 'first.js'), program);
  return home;
}

/** Writes a program into an empty project. Returns its folder. */
function project(name) {
  const home = write(name, firstSteps());
  writeFileSync(join(home, 'package.json'), '{"name":"project","private":true,"type":"module"}');
  return home;
}

/** Runs a program in a folder, with nothing of this machine but the registry. Returns its output. */
async function print(program, args, { cwd, env }) {
  const { PATH } = process.env;
  return (await run(program, args, { cwd, env: { PATH, HOME: cwd, NPM_CONFIG_REGISTRY: registry, ...env } })).stdout;
}

describe.skipIf(installed === null)('packages that were published to a registry', () => {
  test('npm installs them by name, with their dependencies, and they work', { timeout: 300_000 }, async () => {
    const home = project('npm');
    const names = ['@plat/sdk', '@plat/webhooks', '@plat/launch-token', '@plat/cli'];
    await npm(home, 'install', ...names, '--no-audit', '--no-fund');
    const env = await prepare();
    expect(await print(process.execPath, ['first.js'], { cwd: home, env })).toBe(PRINTED);
    const plat = async (...args) =>
      (await run('npx', ['plat', ...args], { cwd: home, env: { ...environment, ...env } })).stdout;
    expect(JSON.parse(await plat('clients', 'list', '--json')).data).toContainEqual(
      expect.objectContaining({ name: 'Acme' }),
    );
    const { version } = JSON.parse(readFileSync(join(home, 'node_modules/@plat/sdk/package.json'), 'utf8'));
    expect(await plat('--version')).toContain(version);
  });

  test('Deno imports them by `npm:` specifiers, without an installation', async () => {
    // With a package.json, Deno would read `node_modules`.
    const home = write('deno', firstSteps('npm:'));
    const env = { ...(await prepare()), DENO_DIR: join(home, 'cache'), DENO_NO_UPDATE_CHECK: '1' };
    // By default Deno refuses packages that are younger than a day.
    const flags = ['--quiet', '--no-prompt', '--minimum-dependency-age=0', '--allow-net', '--allow-env'];
    const deno = join(installed, 'node_modules/@deno/linux-x64-glibc/deno');
    expect(await print(deno, ['run', ...flags, 'first.js'], { cwd: home, env })).toBe(PRINTED);
  });

  test('Bun adds them by name, and they work', async () => {
    const home = project('bun');
    const env = { ...(await prepare()), BUN_INSTALL_CACHE_DIR: join(home, 'cache') };
    const bun = join(installed, 'node_modules/@oven/bun-linux-x64/bin/bun');
    await print(bun, ['add', '@plat/sdk', '@plat/webhooks', '@plat/launch-token'], { cwd: home, env });
    expect(await print(bun, ['first.js'], { cwd: home, env })).toBe(PRINTED);
  });
});

async function npm(cwd, ...args) {
  return (await run('npm', [...args, '--registry', registry], { cwd, env: environment })).stdout;
}
