import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { emptyFolder, plat } from '../testing/plat.ts';

// Starting processes is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const KEY = 'plat_test_canary0123456789';

/** Fake plat-server: reports readiness and its arguments, and records its end. */
const SERVER = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const folder = process.env.PLAT_DATA_DIR;
mkdirSync(folder, { recursive: true });
const file = join(folder, 'sandbox.json');
const note = (name, value) => writeFileSync(join(process.cwd(), name), JSON.stringify(value));
writeFileSync(file, JSON.stringify({ api_key: '${KEY}' }));
note('started', { args: process.argv.slice(2), env: process.env });
// Windows has no signals: the end of the channel stops a server there.
const end = () => { note('ended', true); process.exit(0); };
process.on('SIGTERM', end).on('disconnect', end);
process.channel.unref();
process.send({ type: 'plat-server:ready', base_url: 'http://127.0.0.1:1', tenant_id: 'tnt_1', sandbox_file: file });
setInterval(() => {}, 1000);
`;

let folder: string;
beforeEach(() => {
  folder = emptyFolder();
  writeFileSync(join(folder, 'server.mjs'), SERVER);
});

const dev = (args: readonly string[], command: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  plat(['dev', '--server', 'server.mjs', ...args, '--', process.execPath, ...command], { cwd: folder, env });
const noted = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

it('runs a command against the server, ends with its exit code, and leaves nothing running', async () => {
  const script = 'console.log(process.env.PLAT_BASE_URL, process.env.PLAT_API_KEY.length); process.exitCode = 7';
  const { code, stdout, stderr } = await dev([], ['-e', script]);
  expect({ code, stdout }).toEqual({ code: 7, stdout: `http://127.0.0.1:1 ${KEY.length}\n` });
  expect(stderr).toBe('Ready: http://127.0.0.1:1\n');
  expect(noted('ended')).toBe(true);
});

it('gives the server its settings, and not the values that the application has in the same variables', async () => {
  const own = {
    DATABASE_URL: 'mysql://production',
    REDIS_URL: 'redis://x',
    PORT: '80',
    NODE_ENV: 'production',
    A: 'b',
  };
  await dev(['--port', '4444', '--db', 'data/own.db'], ['-e', ''], { ...own, PLAT_API_KEY: 'plat_live_x' });
  const { args, env } = noted('started');
  expect(args).toEqual(['serve', '--announce']);
  expect(env).toMatchObject({
    A: 'b',
    DATABASE_URL: `sqlite:${join(folder, 'data', 'own.db')}`,
    NODE_ENV: 'development',
    PLAT_DATA_DIR: join(folder, '.plat'),
    PORT: '4444',
  });
  expect(env).not.toHaveProperty('REDIS_URL');
  expect(env).not.toHaveProperty('PLAT_API_KEY');
});

it('stores the compile cache of Node.js in a private folder, unless the environment sets another', async () => {
  const cache = async (env: Readonly<Record<string, string>>) => {
    await dev([], ['-e', ''], { XDG_CACHE_HOME: '', HOME: '', LOCALAPPDATA: '', ...env });
    return noted('started').env.NODE_COMPILE_CACHE;
  };
  expect(await cache({ XDG_CACHE_HOME: join(folder, 'x') })).toBe(join(folder, 'x', 'plat', 'compiled'));
  expect(await cache({ XDG_CACHE_HOME: 'x', HOME: folder })).toBe(join(folder, '.cache', 'plat', 'compiled'));
  expect(await cache({ HOME: folder, NODE_COMPILE_CACHE: '/own' })).toBe('/own');
  expect(await cache({})).toBeUndefined();
});

it('says how another terminal uses a server with a temporary data folder', async () => {
  writeFileSync(join(folder, 'server.mjs'), SERVER.replace('setInterval(() => {}, 1000)', 'setTimeout(() => {}, 100)'));
  const start = async (...args: string[]) =>
    (await plat(['dev', '--server', 'server.mjs', ...args], { cwd: folder, env: {} })).stderr;
  expect(await start('--fresh')).toMatch(/^In another terminal, set PLAT_DATA_DIR=\S+plat-dev-\w+: /m);
  expect(await start()).not.toContain('PLAT_DATA_DIR');
});

it('uses a free port for a command, and with --fresh a temporary data folder', async () => {
  await dev(['--fresh', '--deterministic', '7'], ['-e', '']);
  const { env } = noted('started');
  expect(env).toMatchObject({ PORT: '0', PLAT_DETERMINISTIC: '7' });
  expect(env).not.toHaveProperty('DATABASE_URL');
  expect(existsSync(env.PLAT_DATA_DIR)).toBe(false);
  expect(existsSync(join(folder, '.plat'))).toBe(false);
});

it('prints its address as one line with --json, and stores the key in a private file', async () => {
  const script = `const { statSync, copyFileSync } = require('node:fs'); copyFileSync('ready', 'copy');
    process.exitCode = (statSync('ready').mode & 0o077) === 0 || process.platform === 'win32' ? 0 : 1`;
  const { code, stdout, stderr } = await dev(['--json', '--ready-file', 'ready'], ['-e', script]);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toHaveLength(2);
  expect(JSON.parse(stdout)).toMatchObject({ base_url: 'http://127.0.0.1:1', tenant_id: 'tnt_1' });
  expect(stdout + stderr).not.toContain(KEY);
  expect(noted('copy')).toMatchObject({ pid: process.pid, base_url: 'http://127.0.0.1:1', api_key: KEY });
  expect(existsSync(join(folder, 'ready'))).toBe(false);
  expect(statSync(join(folder, '.plat', 'sandbox.json')).isFile()).toBe(true);
});

it('refuses a ready file that cannot be written, starts nothing and leaves nothing behind', async () => {
  const temporary = emptyFolder();
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, stderr } = await dev(['--fresh', '--json', '--ready-file', 'server.mjs/x'], ['-e', '']);
  expect(code).toBe(1);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'UNWRITABLE_STATE',
    message: expect.stringContaining(join('server.mjs', 'x')),
    next: expect.stringContaining('--ready-file'),
  });
  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(join(folder, 'started'))).toBe(false);
});

it('reports the last message of a server that ended unexpectedly', async () => {
  writeFileSync(join(folder, 'server.mjs'), "console.error('plat-server: port 4010 is in use'); process.exit(1)");
  const { code, stdout, stderr } = await dev(['--json'], ['-e', '']);
  expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'SERVER_FAILED', hint: 'plat-server: port 4010 is in use' });
});

it("for a port in use, names the option of the CLI instead of the server's variable", async () => {
  const said = 'plat-server: port 4010 on 127.0.0.1 is in use: stop what uses it, or set PORT to another one';
  writeFileSync(join(folder, 'server.mjs'), `console.error('${said}'); process.exit(1)`);
  for (const args of [[], ['--json']]) {
    const { code, stderr } = await dev(args, ['-e', '']);
    expect(code).toBe(8);
    expect(stderr).toContain('set --port to another one');
    expect(stderr).not.toContain('PORT');
  }
});

it('ends when the server does, and the command with it', async () => {
  writeFileSync(join(folder, 'server.mjs'), `${SERVER}\nsetTimeout(() => process.exit(3), 100);`);
  const { code, stderr } = await dev([], ['-e', 'setInterval(() => {}, 1000)']);
  expect(code).toBe(8);
  expect(stderr).toContain('The server ended (3)');
});

it.each([
  ['--port', '99999', 'USAGE'],
  ['--db', 'postgres://127.0.0.1/x', 'USAGE'],
  ['--seed', 'none.json', 'UNREADABLE_INPUT'],
  ['--server', 'none.mjs', 'USAGE'],
  ['--server', '.', 'USAGE'],
])('refuses %s %s and starts nothing', async (option, value, expected) => {
  const { code, stderr } = await dev(['--json', option, value], ['-e', '']);
  expect(code).toBe(2);
  expect(JSON.parse(stderr).error).toMatchObject({ code: expected, message: expect.stringContaining(option) });
  expect(existsSync(join(folder, 'started'))).toBe(false);
});

it('treats a word before -- as a mistyped command, and starts nothing', async () => {
  const { code, stderr } = await plat(['dev', '--server', 'server.mjs', 'clokc', 'freeze'], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain('There is no plat dev clokc');
  expect(existsSync(join(folder, 'started'))).toBe(false);
});

it.each([
  ['no JSON', '{', 'is not JSON'],
  ['something else', '[]', 'must contain a JSON object'],
  ['an unknown family', '{"roles":[]}', 'has roles; it accepts clients, groups, users, webhook_endpoints'],
  ['an object that could not be found again', '{"clients":[{"name":"A"},{}]}', 'has clients[1] without name'],
])('refuses a seed with %s', async (_, seed, message) => {
  writeFileSync(join(folder, 'seed.json'), seed);
  const { code, stderr } = await dev(['--seed', 'seed.json'], ['-e', '']);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
