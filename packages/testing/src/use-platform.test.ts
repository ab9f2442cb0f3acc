import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Platform } from '@plat/sdk';
import { DeveloperApi } from '@plat/sdk/developer';
import { afterAll, expect, test, vi } from 'vitest';
import { loadServer } from './load-server.ts';
import { usePlatform } from './use-platform.ts';

// Real servers are slow on busy machines.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const platform = await usePlatform({ afterAll });

test('the platform is the real server with a seeded sandbox', async () => {
  const plat = new Platform({ apiKey: platform.apiKey, baseUrl: platform.baseUrl });
  expect((await plat.me.get()).tenant_id).toBe(platform.tenantId);
  expect((await plat.clients.list()).data.length).toBeGreaterThan(0);
});

test('each tenant is a separate sandbox, so that tests can run concurrently', async () => {
  const [one, other] = await Promise.all([platform.tenant(), platform.tenant()]);
  const plat = new Platform({ apiKey: one.apiKey, baseUrl: platform.baseUrl });
  const neighbour = new Platform({ apiKey: other.apiKey, baseUrl: platform.baseUrl });
  const { id } = await plat.clients.create({ name: 'Mine alone' });
  await expect(neighbour.clients.get(id)).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
  expect(new Set([one.tenantId, other.tenantId, platform.tenantId]).size).toBe(3);
});

test('the developer API is called with a token of the server', async () => {
  const token = await platform.server.mintDeveloperToken(platform.tenantId);
  const developer = new DeveloperApi({ token, baseUrl: platform.baseUrl });
  expect((await developer.sandbox.get()).tenant_id).toBe(platform.tenantId);
  const { tenantId } = await platform.server.createTenant();
  await expect(platform.server.mintDeveloperToken(tenantId)).rejects.toThrow('createSandbox()');
});

test('a platform closes with its scope, once', async () => {
  let baseUrl: string;
  {
    await using own = await usePlatform();
    ({ baseUrl } = own);
    expect((await fetch(`${baseUrl}/livez`)).status).toBe(200);
    await own.close();
  }
  await expect(fetch(`${baseUrl}/livez`)).rejects.toThrow();
});

test('with node:test the server closes after the file, so that the run ends', () => {
  const file = fileURLToPath(new URL('node-test.fixture.ts', import.meta.url));
  const args = [
    '--conditions=@plat/source',
    '--no-warnings',
    '--test-reporter=tap',
    '--test',
    '--test-isolation=none',
    file,
  ];
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 100_000 });
  expect({ status, stdout }, stdout).toEqual({ status: 0, stdout: expect.stringMatching(/^# pass 2$/m) });
});

test('without @plat/server, the error has the install command', async () => {
  const missing = (name: string) => async () => {
    throw Object.assign(new Error(`Cannot find package '${name}' imported from /x.js`), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
  };
  await expect(loadServer(missing('@plat/server'))).rejects.toThrow('npm install --save-dev @plat/server');
  await expect(loadServer(missing('express'))).rejects.toThrow("Cannot find package 'express'");
});
