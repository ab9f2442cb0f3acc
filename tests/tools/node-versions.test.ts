import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findRuntimes } from '../support/find-servers.ts';
import { freePort } from '../support/free-port.ts';
import { repository, spawnProgram } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

const runtimes = findRuntimes();
const nodeOf = (name: string) => join(runtimes ?? '', 'node_modules', name, 'bin', 'node');
const PLAT = join(repository, 'packages/cli/bin/plat.js');
const SERVER = join(repository, 'packages/server/bin/plat-server.js');

/** Node 22 warns of `node:sqlite`, of which the server uses nothing that has changed since. */
const WARNING = /^\(node:\d+\) ExperimentalWarning: SQLite .*\n\(Use `node --trace-warnings .*\n/;

describe.skipIf(runtimes === null)('as built', () => {
  test.each(['server', 'cli', 'testing'])('the oldest Node of @plat/%s is among the tested ones', (name) => {
    const { engines } = JSON.parse(readFileSync(join(repository, 'packages', name, 'package.json'), 'utf8'));
    const { stdout } = spawnSync(nodeOf('node22'), ['--version'], { encoding: 'utf8' });
    expect(stdout).toBe(`v${engines.node.slice('>='.length)}.0\n`);
  });

  test.each(['node22', 'node26'])('server and CLI work on %s', async (name) => {
    const node = nodeOf(name);
    const folder = tempFolder(name);
    onTestFinished(folder.remove);
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const own = { PORT: '0', PLAT_DATA_DIR: join(folder.path, 'data') };
    const server = spawnProgram(node, { args: [SERVER], env: own });
    const [, baseUrl = ''] = await server.waitFor(/Base URL +(\S+)/);
    const [, apiKey = ''] = await server.waitFor(/API key +(\S+)/);

    /** Runs a command. Returns its output as JSON. */
    const run = async (program: string, env: Readonly<Record<string, string>>, ...args: string[]) => {
      const command = spawnProgram(node, { args: [program, ...args, '--json'], env, cwd: folder.path });
      const { code } = await command.exited;
      expect([code, command.stderr().replace(WARNING, '')], args.join(' ')).toEqual([0, '']);
      return JSON.parse(command.stdout());
    };
    const plat = (...args: string[]) => run(PLAT, { PLAT_BASE_URL: baseUrl, PLAT_API_KEY: apiKey }, ...args);
    const operate = (...args: string[]) => run(SERVER, own, ...args);

    await plat('webhooks', 'endpoints', 'create', '--url', receiver.url, '--events', 'client.created');
    expect(await plat('clients', 'create', '--name', 'Acme')).toMatchObject({ name: 'Acme' });
    await receiver.waitFor(1);
    expect(await operate('tenants', 'list')).toHaveLength(1);
    expect(await operate('doctor')).toBeDefined();
    expect(await operate('backup', join(folder.path, 'copy.db'))).toMatchObject({ bytes: expect.any(Number) });

    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(server.stderr().replace(WARNING, '')).toBe('');
  });

  test('a server and a command on MySQL do not load SQLite, so that Node 22 has nothing to warn of', async () => {
    const folder = tempFolder('without-sqlite');
    onTestFinished(folder.remove);
    const env = {
      NODE_ENV: 'production',
      PLAT_DATA_DIR: folder.path,
      PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: `mysql://plat@127.0.0.1:${await freePort()}/plat`,
    };
    for (const args of [['tenants', 'list'], ['migrate', 'status'], ['worker'], ['serve']]) {
      const program = spawnProgram(nodeOf('node22'), { args: [SERVER, ...args], env });
      expect((await program.exited).code, args.join(' ')).toBe(1);
      expect(program.stderr(), args.join(' ')).toMatch(/^plat-server: cannot use the database .* ECONNREFUSED .*\n$/);
    }
  });
});
