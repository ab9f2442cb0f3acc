import { promises } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { moveFile, readReplacedFile, replaceFile } from './files.ts';

const { platform } = process;
let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-files-'));
  file = join(folder, 'state.json');
  await replaceFile(file, 'old');
});
afterEach(async () => {
  Object.defineProperty(process, 'platform', { value: platform });
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Refuses to rename as often as given, as while a virus scanner has the file open. */
function refuseRename(times: number, { on, code }: { readonly on: string; readonly code: string }): void {
  Object.defineProperty(process, 'platform', { value: on });
  const { rename } = promises;
  let refused = 0;
  vi.spyOn(promises, 'rename').mockImplementation((from, to) =>
    refused++ < times ? Promise.reject(Object.assign(new Error('in use'), { code })) : rename(from, to),
  );
}

test('a file is replaced, for its owner only, and no other file is left', async () => {
  await replaceFile(file, 'new');
  expect(await readFile(file, 'utf8')).toBe('new');
  // Windows has no such modes.
  expect((await stat(file)).mode & 0o777).toBe(platform === 'win32' ? 0o666 : 0o600);
  expect(await readdir(folder)).toEqual(['state.json']);
});

test('the temporary file of another writer stays, and so does the file', async () => {
  const temporary = join(folder, 'temporary');
  await writeFile(temporary, 'of another');
  await expect(replaceFile(file, 'new', temporary)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(temporary, 'utf8')).toBe('of another');
  expect(await readFile(file, 'utf8')).toBe('old');
});

test.each(['EPERM', 'EACCES', 'EBUSY'])(
  'on Windows, %s is retried until the other program closes the file',
  async (code) => {
    refuseRename(3, { on: 'win32', code });
    await replaceFile(file, 'new');
    expect(await readFile(file, 'utf8')).toBe('new');
    await moveFile(file, join(folder, 'moved.json'));
    expect(await readdir(folder)).toEqual(['moved.json']);
  },
);

test.each([
  ['win32', 'content'],
  ['linux', 'EPERM'],
])('on %s, the text of a file that is being replaced is %s', async (on, expected) => {
  Object.defineProperty(process, 'platform', { value: on });
  await writeFile(file, 'content');
  const { readFile } = promises;
  const busy = Object.assign(new Error('EPERM'), { code: 'EPERM' });
  const spy = vi.spyOn(promises, 'readFile').mockRejectedValueOnce(busy).mockRejectedValueOnce(busy);
  spy.mockImplementation(readFile);
  expect(await readReplacedFile(file).catch((error) => error.message)).toBe(expected);
});

test.each([
  ['linux', 'EPERM'],
  ['win32', 'ENOSPC'],
])('on %s, %s is reported at once, and the old file stays alone', async (on, code) => {
  refuseRename(1, { on, code });
  await expect(replaceFile(file, 'new')).rejects.toThrow('in use');
  expect(await readFile(file, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['state.json']);
});

/** Refuses to open the folder of the file. */
function refuseFolder(code: string): void {
  const { open } = promises;
  vi.spyOn(promises, 'open').mockImplementation((path, ...rest) =>
    path === folder ? Promise.reject(Object.assign(new Error('no flush'), { code })) : open(path, ...rest),
  );
}

test.skipIf(platform === 'win32')('a folder that cannot be flushed is no error, but a broken disk is', async () => {
  refuseFolder('EINVAL');
  await replaceFile(file, 'new');
  expect(await readFile(file, 'utf8')).toBe('new');
  vi.restoreAllMocks();
  refuseFolder('EIO');
  await expect(replaceFile(file, 'newer')).rejects.toThrow('no flush');
});

test('an existing temporary file is not written to', async () => {
  await mkdir(join(folder, 'taken'));
  await expect(replaceFile(file, 'new', join(folder, 'taken'))).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(file, 'utf8')).toBe('old');
});
