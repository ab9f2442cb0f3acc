import { HEADERS } from '@plat/contract';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* `plat requests`: the request log of the API, read in a terminal. */

const story = useServer();
const folder = tempFolder('cli-requests').path;

function start(apiKey: string, ...args: string[]) {
  const env = { PLAT_BASE_URL: story.server.baseUrl, PLAT_API_KEY: apiKey };
  const running = spawnNode('packages/cli/src/main.ts', { args, cwd: folder, env });
  running.child.stdin.end();
  return running;
}

async function plat(apiKey: string, ...args: string[]) {
  const running = start(apiKey, ...args);
  const { code } = await running.exited;
  return { code, out: running.stdout(), err: running.stderr() };
}

// Each command is a process, on a machine under load.
const LONG_TIMEOUT = { timeout: 120_000 };

test('the request id of an error finds the request log entry with the cause', LONG_TIMEOUT, async () => {
  const { apiKey } = await story.server.createSandbox();
  const refused = await plat(apiKey, 'api', 'POST', '/v1/clients', '--data', '{"nmae":"Acme"}', '--json');
  const { request_id: id } = JSON.parse(refused.err).error;
  const got = await plat(apiKey, 'requests', 'get', id, '--json');
  expect(JSON.parse(got.out)).toMatchObject({ id, operation: 'clients.create', error: { code: 'INVALID_BODY' } });
  const failed = await plat(apiKey, 'requests', 'list', '--outcome', 'failed', '--output', 'csv');
  expect(failed.out).toBe(
    `id,method,path,status,error.code,duration_ms,created_at\n${id},POST,/v1/clients,400,INVALID_BODY,${JSON.parse(got.out).duration_ms},${JSON.parse(got.out).created_at}\n`,
  );
  const none = await plat(apiKey, 'requests', 'get', 'req_00000000000000000000000001');
  expect(none.code).toBe(5);
  expect(none.err).toContain('plat requests list');
});

test('plat dev requests explains a wrong key', LONG_TIMEOUT, async () => {
  const wrong = `plat_test_${'w'.repeat(40)}`;
  const refused = await plat(wrong, 'me', '--json');
  const { request_id: id } = JSON.parse(refused.err).error;
  const { out } = await plat(wrong, 'dev', 'requests', '--failed', '--limit', '100', '--json');
  const found = JSON.parse(out).data.find((entry: { id: string }) => entry.id === id);
  expect(found).toMatchObject({ tenant_id: null, credential: null, status: 401, error: { code: 'INVALID_TOKEN' } });
});

test('the tail prints the last requests and each new one, once, until it is stopped', LONG_TIMEOUT, async () => {
  const { apiKey } = await story.server.createSandbox();
  const api = apiOf(story.server.baseUrl, apiKey);
  await api('/v1/clients');
  await api('/v1/groups');
  const tail = start(apiKey, 'requests', 'tail', '--lines', '1');
  await expect.poll(() => tail.stderr(), LONG_TIMEOUT).toContain('Ready');
  const refused = await api('/v1/clients', { body: {} });
  await expect.poll(() => tail.stdout(), LONG_TIMEOUT).toContain(refused.headers.get(HEADERS.requestId));
  for (let n = 0; n < 30; n++) await api('/v1/users');
  await expect.poll(() => tail.stdout().split('/v1/users').length - 1, LONG_TIMEOUT).toBe(30);
  tail.child.kill('SIGINT');
  expect(await tail.exited).toMatchObject({ code: 0 });
  const lines = tail.stdout().trimEnd().split('\n');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}200 +\d+ ms {2}GET {5}\/v1\/groups {2}req_\w{26}$/);
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}400 +\d+ ms {2}POST {4}\/v1\/clients {2}INVALID_BODY {2}req_\w{26}$/);
  expect(lines[2]).toMatch(/^ +name is required$/);
  expect(lines).toHaveLength(33);
});

test('the tail of failures prints one JSON object for each line', LONG_TIMEOUT, async () => {
  const { apiKey } = await story.server.createSandbox();
  const api = apiOf(story.server.baseUrl, apiKey);
  const tail = start(apiKey, 'requests', 'tail', '--failed', '--code', 'INVALID_BODY', '--fields', 'status', '--json');
  await api('/v1/clients');
  await api('/v1/clients/cli_none');
  await api('/v1/clients', { body: {} });
  await expect.poll(() => tail.stdout(), LONG_TIMEOUT).toBe('{"status":400}\n');
  tail.child.kill('SIGTERM');
  await tail.exited;
});
