import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_CODES } from '@plat/cli';
import { beforeAll, expect, test } from 'vitest';
import { spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const story = useServer();
let folder: string;
let apiKey: string;

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  apiKey = tenant.apiKey;
  folder = tempFolder('cli').path;
  mkdirSync(join(folder, '.plat'));
  const file = { base_url: story.server.baseUrl, tenant_id: tenant.tenantId, api_key: apiKey };
  writeFileSync(join(folder, '.plat', 'sandbox.json'), JSON.stringify(file), { mode: 0o600 });
});

/** Runs `plat` in the folder of a running sandbox, as a developer would. */
async function plat(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const running = spawnNode('packages/cli/src/main.ts', { args, cwd: folder });
  running.child.stdin.end();
  const { code } = await running.exited;
  return { code, out: running.stdout(), err: running.stderr() };
}

test('a developer reads me, creates a client and deletes it, without any configuration', async () => {
  expect(await plat('me')).toMatchObject({ code: 0, out: expect.stringContaining('api_key'), err: '' });
  const created = JSON.parse((await plat('clients', 'create', '--name', 'Acme', '--json')).out);
  expect(created).toMatchObject({ object: 'client', name: 'Acme', slug: 'acme' });
  const list = JSON.parse((await plat('clients', 'list', '--json')).out);
  expect(list).toMatchObject({ object: 'list', data: [created], has_more: false });
  expect((await plat('clients', 'get', created.id)).out).toContain('acme');
  const updated = JSON.parse((await plat('clients', 'update', created.id, '--status', 'inactive', '--json')).out);
  expect(updated.status).toBe('inactive');
  expect((await plat('clients', 'delete', created.id)).code).toBe(EXIT_CODES.confirmation);
  expect((await plat('clients', 'delete', created.id, '--yes')).code).toBe(0);
  expect((await plat('clients', 'get', created.id)).code).toBe(EXIT_CODES.notFound);
});

test('commands list endpoints, events and deliveries, and plat api calls any operation', async () => {
  const url = 'https://example.com/cli';
  const endpoint = JSON.parse(
    (await plat('webhooks', 'endpoints', 'create', '--url', url, '--events', '*', '--json')).out,
  );
  expect(endpoint.secret).toMatch(/^whsec_/);
  expect((await plat('webhooks', 'endpoints', 'list')).out).toContain(url);
  const shown = await plat('api', 'GET', `/v1/webhooks/endpoints/${endpoint.id}`);
  expect(JSON.parse(shown.out)).toMatchObject({ id: endpoint.id, url });
  expect((await plat('webhooks', 'events', 'list', '--json')).code).toBe(0);
  expect((await plat('webhooks', 'deliveries', 'list', '--json')).code).toBe(0);
  expect((await plat('webhooks', 'endpoints', 'delete', endpoint.id, '--yes')).code).toBe(0);
});

test('a refusal is printed on stderr only, with its code, its request id and a next step', async () => {
  const refused = await plat('clients', 'create', '--name', 'A', '--slug', 'Not a slug', '--json');
  expect(refused).toMatchObject({ code: EXIT_CODES.refused, out: '' });
  expect(JSON.parse(refused.err)).toMatchObject({
    error: {
      code: 'INVALID_BODY',
      status: 400,
      request_id: expect.stringMatching(/^req_/),
      errors: [{ path: 'slug' }],
    },
    exit_code: EXIT_CODES.refused,
  });
  await plat('clients', 'create', '--name', 'B', '--slug', 'taken');
  expect((await plat('clients', 'create', '--name', 'B', '--slug', 'taken')).code).toBe(EXIT_CODES.conflict);
});

test('the key is never printed', async () => {
  for (const args of [
    ['me'],
    ['clients', 'list', '--json'],
    ['clients', 'get', 'cli_x'],
    ['--help'],
    ['api', 'GET', '/v1/me'],
  ]) {
    const { out, err } = await plat(...args);
    expect(out + err).not.toContain(apiKey);
  }
});
