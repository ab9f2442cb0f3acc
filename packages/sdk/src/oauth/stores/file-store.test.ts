import { promises } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { fileStore } from './file-store.ts';

const { platform } = process;
let folder = '';
afterEach(async () => {
  Object.defineProperty(process, 'platform', { value: platform });
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Stores a grant while the file is refused as often as given, as by a virus scanner. */
async function storeRefused(times: number, on: string) {
  folder = await mkdtemp(join(tmpdir(), 'plat-store-'));
  Object.defineProperty(process, 'platform', { value: on });
  const rename = promises.rename;
  let refused = 0;
  vi.spyOn(promises, 'rename').mockImplementation((from, to) =>
    refused++ < times ? Promise.reject(Object.assign(new Error('in use'), { code: 'EPERM' })) : rename(from, to),
  );
  const store = fileStore(folder);
  await store.compareAndSet('tenant', null, { version: 1, value: 'a' });
  return store.get('tenant');
}

test('on Windows a file that another program has open is replaced when that ends', async () => {
  expect(await storeRefused(3, 'win32')).toEqual({ version: 1, value: 'a' });
});

test('elsewhere the error is reported at once', async () => {
  await expect(storeRefused(1, 'linux')).rejects.toThrow('in use');
});
