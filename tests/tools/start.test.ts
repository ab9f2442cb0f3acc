import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { spawnNode } from '../support/process.ts';
import { startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const start = (env: Readonly<Record<string, string>>) =>
  spawnNode('packages/server/src/main.ts', { env: { PORT: '0', PLAT_DATA_DIR: tempFolder('start').path, ...env } });

/** Asserts that a start fails with one line on stderr, and exit code 1. */
async function expectRefusedStart(env: Readonly<Record<string, string>>, line: RegExp): Promise<void> {
  const server = start(env);
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.stderr().trim()).toMatch(line);
  expect(server.stderr().trim().split('\n')).toHaveLength(1);
  expect(server.stdout()).toBe('');
}

test('the first screen names the address, the tenant and the key, which work', async () => {
  const server = await startServerProcess({});
  const [, key = ''] = await server.waitFor(/API key +(\S+)/);
  expect(server.stdout()).toMatch(/npx plat me/);
  const me = await apiOf(server.baseUrl, key)('/v1/me');
  expect(me.status).toBe(200);
  expect(server.stdout()).toContain(me.body.tenant_id);
  expect((await apiOf(server.baseUrl, key)('/v1/clients')).body.data).toHaveLength(2);
  await server.stop();
});

test('in a folder that is open to others, the files of the server are for its owner only', async () => {
  const folder = tempFolder('open').path;
  chmodSync(folder, 0o755);
  const server = await startServerProcess({}, folder);
  await server.waitFor(/Ctrl-C/);
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
  expect(modes.length).toBeGreaterThan(2);
  expect(modes).toEqual(modes.map(([name]) => [name, 0o600]));
  await server.stop();
});

test('the sandbox file is for its owner only, and a second start keeps tenant, key and data', async () => {
  const first = await startServerProcess({});
  const path = join(first.dataDir, 'sandbox.json');
  const read = () => JSON.parse(readFileSync(path, 'utf8'));
  await first.waitFor(/Ctrl-C/);
  const before = read();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(before).toEqual({
    base_url: first.baseUrl,
    tenant_id: expect.stringMatching(/^tnt_/),
    api_key: expect.stringMatching(/^plat_test_/),
    console_url: `${first.baseUrl}/console`,
    developer_id: expect.stringMatching(/^dev_/),
    developer_email: 'developer@sandbox.example',
  });
  const { body: client } = await apiOf(first.baseUrl, before.api_key)('/v1/clients', { body: { name: 'Kept' } });
  await first.stop();

  const second = await startServerProcess({}, first.dataDir);
  await second.waitFor(/Ctrl-C/);
  expect(read()).toEqual({ ...before, base_url: second.baseUrl, console_url: `${second.baseUrl}/console` });
  expect((await apiOf(second.baseUrl, before.api_key)(`/v1/clients/${client.id}`)).body).toEqual(client);
  await second.stop();
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it cleanly', async (signal) => {
  const server = await startServerProcess({});
  server.child.kill(signal);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(server.stderr()).toBe('');
});

test('requests in progress at the signal are answered', async () => {
  const server = await startServerProcess({});
  const [, key = ''] = await server.waitFor(/API key +(\S+)/);
  const requests = await Promise.all(
    Array.from({ length: 20 }, (_, i) => beginCreate(server.baseUrl, key, `Last ${i}`)),
  );
  server.child.kill('SIGTERM');
  expect(await Promise.all(requests.map((finish) => finish()))).toEqual(Array(20).fill(201));
  expect((await server.exited).code).toBe(0);
});

/**
 * Sends the head of a create. Resolves, when the server has read it and asks for the body, to a function that sends the
 * rest.
 */
function beginCreate(baseUrl: string, key: string, name: string): Promise<() => Promise<number | undefined>> {
  const body = JSON.stringify({ name });
  const sent = request(`${baseUrl}/v1/clients`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => response.resume().once('end', () => resolve(response.statusCode)));
  });
  return new Promise((resolve, reject) => {
    answered.catch(reject);
    sent.once('continue', () =>
      resolve(() => {
        sent.end(body);
        return answered;
      }),
    );
    sent.flushHeaders();
  });
}

test('a port in use is reported in one line', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  await expectRefusedStart({ PORT: port }, /port \d+ on 127\.0\.0\.1 is in use.*PORT/);
  taken.close();
});

test.each([
  [{ HOST: '192.0.2.7' }, 'HOST'],
  [{ HOST: 'nothing.invalid' }, 'HOST'],
  [{ PLAT_METRICS_PORT: '0', PLAT_METRICS_HOST: '192.0.2.7' }, 'PLAT_METRICS_HOST'],
])('an address of another machine is reported in one line: %o', async (env, setting) => {
  await expectRefusedStart(env, RegExp(`cannot listen on .*: set ${setting} to an address of this machine`));
});

test('an unreachable database is reported in one line, without the password', async () => {
  await expectRefusedStart(
    { DATABASE_URL: 'mysql://root:hunter2@127.0.0.1:1/plat' },
    /^(?!.*hunter2).*cannot use the database at 127\.0\.0\.1:1\/plat/,
  );
});

test('a folder that is not writable is reported in one line', async () => {
  const folder = join(tempFolder('unwritable').path, 'file');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o500);
  // Root may write anywhere, but cannot create a folder below a file.
  const path = process.getuid?.() === 0 ? '/dev/null/data' : folder;
  await expectRefusedStart({ PLAT_DATA_DIR: path }, /cannot write to the data folder .*PLAT_DATA_DIR/);
});

test.skipIf(process.platform !== 'linux')(
  'a folder in /proc, where none can be created, is reported in one line',
  async () => {
    await expectRefusedStart({ PLAT_DATA_DIR: '/proc/plat/data' }, /cannot write to the data folder .*PLAT_DATA_DIR/);
  },
);

test('a file that is not a SQLite database is reported in one line', async () => {
  await expectRefusedStart({ DATABASE_URL: 'sqlite:/dev/null/x.db' }, /cannot open the SQLite file/);
});

test('a wrong configuration names every problem', async () => {
  const server = start({ PORT: 'x', LOG_LEVEL: 'loud' });
  expect((await server.exited).code).toBe(1);
  expect(server.stderr()).toMatch(/PORT/);
  expect(server.stderr()).toMatch(/LOG_LEVEL/);
});

test('an unknown argument is reported, and nothing starts', async () => {
  const server = spawnNode('packages/server/src/main.ts', { args: ['--port'], env: { PORT: '0' } });
  expect((await server.exited).code).toBe(2);
  expect(server.stderr()).toMatch(/unknown option '--port'/);
});
