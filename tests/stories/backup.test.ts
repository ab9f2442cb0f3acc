import { execFileSync } from 'node:child_process';
import { chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { databaseUrl } from '../support/database-server.ts';
import { operate } from '../support/operator.ts';
import { repository } from '../support/process.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const provided = inject('database');
/** Any user but root. */
const SERVER_USER = 65_534;

describe.runIf(provided.kind === 'sqlite')('SQLite', () => {
  const folder = tempFolder('backup').path;
  const env = { DATABASE_URL: `sqlite:${join(folder, 'data', 'plat.db')}`, PLAT_DATA_DIR: join(folder, 'data') };
  const backup = join(folder, 'backup.db');

  test('a backup beside a busy server has every change acknowledged before it, and a restore brings them back', async () => {
    const server = await start();
    const acknowledged: string[] = [];
    let writing = true;
    const writer = (async () => {
      while (writing) acknowledged.push((await apiFor(server)('/v1/clients', { body: { name: 'A' } })).body.id);
    })();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    const before = [...acknowledged];
    const made = await operate(env, 'backup', backup);
    expect(made.json).toMatchObject({ file: backup, bytes: statSync(backup).size });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect((await operate(env, 'backup', backup)).stderr).toMatch(/backup\.db exists: give a new name/);
    writing = false;
    await writer;
    expect(acknowledged.length).toBeGreaterThan(before.length);

    expect((await operate(env, 'restore', backup)).stderr).toMatch(/replaces the database .*confirm with --yes/);
    const beside = await operate(env, 'restore', backup, '--yes');
    expect([beside.code, beside.stderr]).toMatchObject([1, expect.stringMatching(/a server or worker uses .*stop/)]);
    await server.stop();

    const damaged = join(folder, 'damaged.db');
    writeFileSync(damaged, readFileSync(backup).subarray(0, 50_000));
    expect((await operate(env, 'restore', damaged, '--yes')).stderr).toMatch(/is not a usable copy of the database/);

    const restored = await operate(env, 'restore', backup, '--yes');
    expect(restored.code).toBe(0);
    const names = readdirSync(join(folder, 'data'));
    expect(names.filter((name) => name.startsWith('plat.db.before-restore-'))).toHaveLength(1);

    const again = await start();
    for (const id of before) expect((await apiFor(again)(`/v1/clients/${id}`)).status, id).toBe(200);
    expect((await apiFor(again)(`/v1/clients/${acknowledged.at(-1)}`)).status).toBe(404);
    await again.stop();
  });

  // Operators are often root, because the environment of the server is readable by root only; the server is not.
  test.runIf(process.getuid?.() === 0)('a restore by root leaves the database to the user of the server', async () => {
    const data = tempFolder('restored').path;
    const own = { DATABASE_URL: `sqlite:${join(data, 'plat.db')}`, PLAT_DATA_DIR: data };
    expect((await operate(own, 'migrate', 'up')).code).toBe(0);
    const copy = join(data, 'copy.db');
    expect((await operate(own, 'backup', copy)).code).toBe(0);
    const owner = () => {
      const { uid, gid } = statSync(join(data, 'plat.db'));
      return [uid, gid];
    };
    for (const name of ['.', 'plat.db']) chownSync(join(data, name), SERVER_USER, SERVER_USER);
    expect((await operate(own, 'restore', copy, '--yes')).code).toBe(0);
    expect(owner()).toEqual([SERVER_USER, SERVER_USER]);
    rmSync(join(data, 'plat.db'));
    expect((await operate(own, 'restore', copy)).code).toBe(0);
    expect(owner()).toEqual([SERVER_USER, SERVER_USER]);
  });

  const start = () => startServerProcess({ DATABASE_URL: env.DATABASE_URL }, env.PLAT_DATA_DIR);
  const apiFor = ({ baseUrl }: ServerProcess) =>
    apiOf(baseUrl, JSON.parse(readFileSync(join(env.PLAT_DATA_DIR, 'sandbox.json'), 'utf8')).api_key);
});

describe.runIf(provided.kind === 'mariadb')('MariaDB', () => {
  const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

  test('the commands of docs/backup.md restore a database without a difference', async () => {
    if (provided.kind === 'sqlite') return;
    const { apiKey } = await story.server.createTenant({ sandbox: true });
    await apiOf(story.server.baseUrl, apiKey)('/v1/clients', { body: { name: 'Zoë 🦊' } });
    expect((await operate(story.database.url, 'backup', '/tmp/none')).stderr).toMatch(/docs\/backup\.md/);

    const home = tempFolder('recipe').path;
    const { host, port, user, password } = provided;
    const account = `[client]\nhost=${host}\nport=${port}\nuser=${user}\npassword="${password}"\n`;
    writeFileSync(join(home, '.my.cnf'), account, { mode: 0o600 });
    const source = new URL(story.database.url).pathname.slice(1);
    const restored = `${source}_restored`;
    const [, recipe = ''] = /```sh\n(mariadb-dump[\s\S]*?)```/.exec(docs) ?? [];
    const names = recipe.replaceAll('plat_restored', restored).replace(/ plat >/, ` ${source} >`);
    const commands = names.replace('TO plat"', `TO ${user}@'127.0.0.1'"`);
    execFileSync('bash', ['-ec', commands], { cwd: home, env: { PATH: process.env['PATH'], HOME: home } });

    const args = ['copy', '--compare-only', '--from', story.database.url];
    const compared = await operate(databaseUrl(provided, restored), ...args);
    expect([compared.code, compared.stderr]).toMatchObject([0, expect.stringMatching(/no differences/)]);
    expect(compared.json).toContainEqual(expect.objectContaining({ table: 'clients', different: 0 }));
    execFileSync('bash', ['-c', `mariadb --execute 'DROP DATABASE ${restored}'`], { env: { HOME: home } });
  });
});

const docs = readFileSync(join(repository, 'docs/backup.md'), 'utf8');
