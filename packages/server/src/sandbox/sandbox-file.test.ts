import { promises } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSandboxFile, replaceKeyInSandboxFile, type SandboxFile, writeSandboxFile } from './sandbox-file.ts';

const { platform } = process;
const content: SandboxFile = {
  base_url: 'http://127.0.0.1:1',
  tenant_id: 'tnt_a',
  api_key: 'plat_test_old',
  console_url: 'http://127.0.0.1:1/console',
  developer_id: 'dev_a',
  developer_email: 'developer@sandbox.example',
};
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-sandbox-file-'));
  await writeSandboxFile(folder, content);
});
afterEach(async () => {
  Object.defineProperty(process, 'platform', { value: platform });
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

test('the file has a secret: only its owner can read it, and its draft is gone', async () => {
  const { mode } = await stat(join(folder, 'sandbox.json'));
  expect(mode & 0o777).toBe(platform === 'win32' ? 0o666 : 0o600);
  expect(await readdir(folder)).toEqual(['sandbox.json']);
});

test('the key is replaced in the file of the tenant, also while another program has the file open on Windows', async () => {
  Object.defineProperty(process, 'platform', { value: 'win32' });
  const inUse = Object.assign(new Error('in use'), { code: 'EPERM' });
  const rename = vi.spyOn(promises, 'rename').mockRejectedValueOnce(inUse);
  expect(await replaceKeyInSandboxFile(folder, { tenant_id: 'tnt_b', api_key: 'plat_test_b' })).toBeNull();
  expect(rename).not.toHaveBeenCalled();
  await replaceKeyInSandboxFile(folder, { tenant_id: 'tnt_a', api_key: 'plat_test_new' });
  expect(await readSandboxFile(folder)).toEqual({ ...content, api_key: 'plat_test_new' });
});
