import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { EXIT_CODES, run } from '@plat/cli';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useServer } from '../support/story.ts';

const story = useServer();
const home = mkdtempSync(join(tmpdir(), 'plat-doctor-'));
let key: string;

beforeAll(async () => {
  key = (await story.server.createSandbox()).apiKey;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs `plat` in this process, with a separate home folder. */
async function plat(args: readonly string[], { stdin = '', env = {} } = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let [out, err] = ['', ''];
  stdout.on('data', (part) => {
    out += part;
  });
  stderr.on('data', (part) => {
    err += part;
  });
  const input = new PassThrough();
  input.end(stdin);
  const code = await run(args, { stdin: input, stdout, stderr, env: { HOME: home, ...env }, cwd: home });
  return { code, out, err };
}

test('a key that is added as a profile works, and plat doctor finds nothing wrong', async () => {
  const add = ['profile', 'add', 'mine', '--base-url', story.server.baseUrl, '--api-key-file', '-'];
  expect((await plat(add, { stdin: key })).code).toBe(EXIT_CODES.ok);
  expect(JSON.parse((await plat(['me', '--json'])).out)).toMatchObject({ object: 'me' });

  const { code, out, err } = await plat(['doctor', '--json']);
  expect([code, err]).toEqual([EXIT_CODES.ok, '']);
  const { checks }: { checks: { name: string; status: string }[] } = JSON.parse(out);
  const statuses = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
  expect(statuses).toMatchObject({ profiles: 'ok', connection: 'ok', server: 'ok', key: 'ok' });
  expect(out).toContain('the profile mine');
  expect(out).not.toContain(key);
});

test('an unknown key fails the check of plat doctor, with exit code 11', async () => {
  const env = { PLAT_BASE_URL: story.server.baseUrl, PLAT_API_KEY: 'plat_test_nobodyhasthiskey' };
  const { code, out } = await plat(['doctor'], { env });
  expect(code).toBe(EXIT_CODES.checkFailed);
  expect(out).toMatch(/^ok +server +ready/m);
  expect(out).toMatch(/^fail +key .*INVALID_TOKEN/m);
});
