import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestServer } from '@plat/server/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startDaemon } from '../tests/support/daemon.ts';
import { freePort } from '../tests/support/free-port.ts';
import { tempFolder } from '../tests/support/temp-folder.ts';
import { packInto } from './lib/pack.mjs';

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
}, 120_000);
afterAll(async () => {
  await stop?.();
  await server?.close();
  folder.remove();
});

test.skipIf(installed === null)(
  'packages that were published install from a registry by name, with their dependencies, and work',
  { timeout: 300_000 },
  async () => {
    const packed = join(folder.path, 'packed');
    mkdirSync(packed);
    for (const { name, tarball } of await packInto(packed)) {
      await npm(folder.path, 'publish', tarball, '--access', 'public');
      expect((await npm(folder.path, 'view', name, 'version')).trim()).toMatch(/^\d+\.\d+\.\d+$/);
    }
    const project = join(folder.path, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"name":"project","private":true,"type":"module"}');
    await npm(project, 'install', '@plat/sdk', '@plat/webhooks', '@plat/cli', '--no-audit', '--no-fund');

    const { apiKey } = await server.createTenant();
    const env = { ...environment, PLAT_API_KEY: apiKey, PLAT_BASE_URL: server.baseUrl };
    writeFileSync(
      join(project, 'first.js'),
      `import { Platform } from '@plat/sdk';
       import { verify } from '@plat/webhooks';
       const { name } = await new Platform().clients.create({ name: 'Acme' });
       console.log(name, typeof verify);`,
    );
    expect((await run(process.execPath, ['first.js'], { cwd: project, env })).stdout).toBe('Acme function\n');
    const { stdout } = await run('npx', ['plat', 'clients', 'list', '--json'], { cwd: project, env });
    expect(JSON.parse(stdout).data).toMatchObject([{ name: 'Acme' }]);
    const { version } = JSON.parse(readFileSync(join(project, 'node_modules/@plat/sdk/package.json'), 'utf8'));
    expect((await run('npx', ['plat', '--version'], { cwd: project, env })).stdout).toContain(version);
  },
);

async function npm(cwd, ...args) {
  return (await run('npm', [...args, '--registry', registry], { cwd, env: environment })).stdout;
}
