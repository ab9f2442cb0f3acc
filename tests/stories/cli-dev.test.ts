import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type NodeProcess, repository, spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const LONG_TIMEOUT = { timeout: 120_000, interval: 50 };
const SERVER = join(repository, 'packages/server/src/main.ts');

let folder: ReturnType<typeof tempFolder>;
let database: FreshDatabase;
const started: NodeProcess[] = [];

beforeAll(async () => {
  folder = tempFolder('dev');
  database = await freshDatabase();
});
afterAll(async () => {
  await Promise.all(started.map((one) => one.kill9()));
  await database.drop();
  folder.remove();
});

/** Starts `plat dev` with the server of the sources, on the database of this project. */
function dev(...args: readonly string[]): NodeProcess {
  const running = spawnNode('packages/cli/src/main.ts', {
    args: ['dev', '--server', SERVER, '--db', database.url, ...args],
    cwd: folder.path,
    env: { HOME: folder.path, LOG_LEVEL: 'warn' },
  });
  started.push(running);
  return running;
}

const answers = (baseUrl: string): Promise<boolean> =>
  fetch(`${baseUrl}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );

/** A script that prints the clients that the API lists, and exits with 5. */
const SHOW = `
const get = async (path) => {
  const headers = { authorization: 'Bearer ' + process.env.PLAT_API_KEY };
  const response = await fetch(process.env.PLAT_BASE_URL + path, { headers });
  return (await response.json()).data;
};
const [clients, groups, users, endpoints] = await Promise.all(
  ['/v1/clients', '/v1/groups', '/v1/users', '/v1/webhooks/endpoints'].map(get),
);
console.log(JSON.stringify([
  clients.map(({ slug }) => slug), groups.map(({ slug }) => slug), users.map(({ email }) => email), endpoints.map(({ url }) => url),
]));
process.exitCode = 5;
`;

test('a command finds the seeded server, and seeding it again creates nothing', {
  timeout: 300_000,
}, async () => {
  const seed = {
    clients: [{ name: 'Acme', slug: 'acme' }, { name: 'Globex' }],
    groups: [{ name: 'Region' }],
    users: [{ email: 'Ada@example.com', role: 'viewer' }],
    webhook_endpoints: [{ url: 'http://127.0.0.1:3999/hook', events: ['*'] }],
  };
  writeFileSync(join(folder.path, 'seed.json'), JSON.stringify(seed));
  writeFileSync(join(folder.path, 'show.mjs'), SHOW);
  const seen: unknown[] = [];
  for (const created of ['Created 5 objects of the seed', 'All objects of the seed already exist']) {
    const running = dev('--seed', 'seed.json', '--', process.execPath, 'show.mjs');
    expect(await running.exited, running.stderr()).toEqual({ code: 5, signal: null });
    expect(running.stderr()).toContain(created);
    seen.push(JSON.parse(running.stdout()));
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]).toEqual([
    expect.arrayContaining(['acme', 'globex']),
    expect.arrayContaining(['region']),
    expect.arrayContaining(['Ada@example.com']),
    ['http://127.0.0.1:3999/hook'],
  ]);
});

test('a server ends when its plat dev is killed, and when plat dev is stopped', {
  timeout: 300_000,
}, async () => {
  for (const end of ['kill9', 'stop'] as const) {
    const running = dev('--port', '0', '--ready-file', 'ready.json');
    await running.waitFor(/^Ready\. The key is in /m, 120_000);
    const { base_url: baseUrl, api_key: apiKey } = JSON.parse(readFileSync(join(folder.path, 'ready.json'), 'utf8'));
    const me = await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(me.status).toBe(200);
    expect(running.stdout() + running.stderr()).not.toContain(apiKey);
    const exit = await running[end]();
    expect(exit).toEqual(end === 'stop' ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' });
    await expect.poll(() => answers(baseUrl), LONG_TIMEOUT).toBe(false);
  }
});

test('plat dev reports a port that is in use', LONG_TIMEOUT, async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const running = dev('--port', typeof address === 'object' && address ? String(address.port) : '');
  expect(await running.exited).toEqual({ code: 8, signal: null });
  expect(running.stderr()).toContain('is in use: stop what uses it, or set --port to another one');
  taken.close();
});
