import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { emptyFolder } from '../testing/plat.ts';
import { type Cursor, createCursor, openCursor } from './cursor.ts';
import { lowestEventId } from './event-ids.ts';

const at = (ms: number) => lowestEventId(ms);
const pathIn = (folder: string) => join(folder, 'state', 'a.cursor');

async function fresh(settled = 0, ids: readonly string[] = []): Promise<{ cursor: Cursor; path: string }> {
  const path = pathIn(emptyFolder());
  return { cursor: closedAtTheEnd(await createCursor(path, { settled: at(settled), ids })), path };
}

/** Closes the cursor after the test, since an unclosed file handle causes a warning. */
function closedAtTheEnd(cursor: Cursor): Cursor {
  onTestFinished(() => cursor.close().catch(() => undefined));
  return cursor;
}

/** Opens the cursor as a new process would. */
async function reopened(path: string): Promise<Cursor> {
  const cursor = await openCursor(path);
  if (!cursor) throw new Error(`there is nothing at ${path}`);
  return closedAtTheEnd(cursor);
}

it('does not exist before it is created', async () => {
  expect(await openCursor(pathIn(emptyFolder()))).toBeNull();
});

it('stores a processed event at once, in a private file', async () => {
  const { cursor, path } = await fresh(5, [at(6)]);
  await cursor.done(at(9));
  await cursor.done(at(8));
  // Not closed, as after a kill.
  const next = await reopened(path);
  expect([7, 8, 9, 6, 4].map((ms) => next.has(at(ms)))).toEqual([false, true, true, true, true]);
  expect([next.settled, next.latest]).toEqual([at(5), at(9)]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, '..'))).toEqual(['a.cursor']);
});

it('stores a skipped event with the next processed one, or on close', async () => {
  const { cursor, path } = await fresh();
  cursor.skip(at(1));
  expect(cursor.has(at(1))).toBe(true);
  expect(readFileSync(path, 'utf8')).not.toContain(at(1));
  await cursor.done(at(2));
  cursor.skip(at(3));
  await cursor.close();
  const next = await reopened(path);
  expect([1, 2, 3].map((ms) => next.has(at(ms)))).toEqual([true, true, true]);
});

it('drops only the event whose line was cut off by a crash', async () => {
  const { cursor, path } = await fresh();
  await cursor.done(at(1));
  appendFileSync(path, at(2).slice(0, 20));
  const next = await reopened(path);
  expect([1, 2].map((ms) => next.has(at(ms)))).toEqual([true, false]);
  // The next event starts a new line after the cut one.
  await next.done(at(3));
  expect((await reopened(path)).has(at(3))).toBe(true);
});

it('stays small: settled events are removed from the file and the memory', async () => {
  const { cursor, path } = await fresh();
  for (let ms = 1; ms <= 3000; ms++) cursor.skip(at(ms));
  await cursor.done(at(3001));
  await cursor.settle(at(2900));
  await cursor.done(at(3002));
  expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(200);
  const next = await reopened(path);
  expect([2899, 2900, 3001, 3002, 3003].map((ms) => next.has(at(ms)))).toEqual([true, true, true, true, false]);
  expect(next.settled).toBe(at(2900));
});

it('never settles less than before', async () => {
  const { cursor } = await fresh(5);
  await cursor.settle(at(3));
  expect([cursor.settled, cursor.has(at(4))]).toEqual([at(5), true]);
  await cursor.settle(at(7));
  expect([cursor.settled, cursor.latest]).toEqual([at(7), at(7)]);
});

it.each([
  ['is empty', ''],
  ['is something else', 'hello\n'],
  ['is of another version', `{"version":2,"settled":"${lowestEventId(1)}"}\n`],
  ['has no id', '{"version":1,"settled":"evt_1"}\n'],
])('is not touched when its file %s', async (_, text) => {
  const path = join(emptyFolder(), 'c');
  writeFileSync(path, text);
  await expect(openCursor(path)).rejects.toMatchObject({ code: 'UNREADABLE_STATE' });
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('reports that its file cannot be written', async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'state'), '');
  await expect(createCursor(pathIn(folder), { settled: at(0), ids: [] })).rejects.toMatchObject({
    code: 'UNWRITABLE_STATE',
    message: expect.stringMatching(/EEXIST|ENOTDIR/),
  });
  mkdirSync(join(folder, 'c'));
  await expect(openCursor(join(folder, 'c'))).rejects.toMatchObject({ code: 'UNREADABLE_STATE' });
});

it('reports that its folder is gone, even though skipped events are not stored', async () => {
  const { cursor, path } = await fresh();
  for (let ms = 1; ms <= 3000; ms++) cursor.skip(at(ms));
  rmSync(join(path, '..'), { recursive: true });
  writeFileSync(join(path, '..'), '');
  await expect(cursor.settle(at(2900))).rejects.toMatchObject({ code: 'UNWRITABLE_STATE' });
  await cursor.close();
});

it('reports a full disk, whether it stores a processed event or is closed', async () => {
  const { cursor, path } = await fresh();
  const handle = await open(path);
  await handle.close();
  const append = vi.spyOn(Object.getPrototypeOf(handle), 'appendFile');
  onTestFinished(() => append.mockRestore());
  append.mockRejectedValue(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
  const full = { code: 'UNWRITABLE_STATE', message: `${path} cannot be written (ENOSPC)` };
  await expect(cursor.done(at(1))).rejects.toMatchObject(full);
  cursor.skip(at(2));
  await expect(cursor.close()).rejects.toMatchObject(full);
});
