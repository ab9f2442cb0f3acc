import { mkdirSync, promises, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { replaceSandboxKey } from '../connection/sandbox-file.ts';
import { emptyFolder } from '../testing/plat.ts';
import { replaceFile } from './private-file.ts';

const { platform } = process;
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform });
  vi.restoreAllMocks();
});

it('keeps the old file, and leaves no other, when it cannot be replaced', async () => {
  const folder = emptyFolder();
  mkdirSync(join(folder, 'credentials.json'));
  await expect(replaceFile(join(folder, 'credentials.json'), '{}')).rejects.toMatchObject({
    code: platform === 'win32' ? 'EPERM' : 'EISDIR',
  });
  expect(readdirSync(folder)).toEqual(['credentials.json']);
});

it('replaces a file and the key of a sandbox file that another program has open on Windows', async () => {
  const path = join(emptyFolder(), 'sandbox.json');
  await replaceFile(path, '{}');
  Object.defineProperty(process, 'platform', { value: 'win32' });
  const rename = vi.spyOn(promises, 'rename');
  const isOpen = () => rename.mockRejectedValueOnce(Object.assign(new Error('in use'), { code: 'EBUSY' }));
  isOpen();
  await replaceFile(path, '{"tenant_id":"tnt_a"}');
  isOpen();
  const sandbox = {
    path,
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'plat_test_old',
    tenantId: null,
    developerEmail: null,
  };
  await replaceSandboxKey(sandbox, 'plat_test_new');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ tenant_id: 'tnt_a', api_key: 'plat_test_new' });
  expect(rename).toHaveBeenCalledTimes(4);
});
