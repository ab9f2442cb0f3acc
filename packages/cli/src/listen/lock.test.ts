import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { emptyFolder } from '../testing/plat.ts';
import { lockCursor } from './lock.ts';

// Some tests start a process.
vi.setConfig({ testTimeout: 60_000 });

const running = { code: 'LISTENER_RUNNING', exitCode: 6 };
const newCursor = () => join(emptyFolder(), 'state', 'a.cursor');
const holderOf = (cursor: string) => JSON.parse(readFileSync(`${cursor}.lock`, 'utf8'));

/** Creates the lock of a process that has ended. */
async function abandoned(more: object): Promise<string> {
  const cursor = newCursor();
  await lockCursor(cursor);
  writeFileSync(`${cursor}.lock`, JSON.stringify({ ...holderOf(cursor), token: 'old', ...more }));
  return cursor;
}

const endedPid = () => spawnSync(process.execPath, ['-e', '']).pid;

it('has one holder at a time, and names it', async () => {
  const cursor = newCursor();
  const release = await lockCursor(cursor);
  await expect(lockCursor(cursor)).rejects.toMatchObject({
    ...running,
    message: expect.stringContaining(`(process ${process.pid})`),
  });
  await release();
  await (await lockCursor(cursor))();
  expect(readdirSync(dirname(cursor))).toEqual([]);
});

it('is taken over from a process that has ended', async () => {
  const cursor = await abandoned({ pid: endedPid() });
  await lockCursor(cursor);
  expect(holderOf(cursor).pid).toBe(process.pid);
});

it.runIf(existsSync('/proc/self/stat'))('is taken over when another process has the pid by now', async () => {
  const cursor = await abandoned({ began: '1' });
  await lockCursor(cursor);
  expect(holderOf(cursor).token).not.toBe('old');
});

it('is taken over when its content is invalid', async () => {
  const cursor = await abandoned({ pid: 'x' });
  await lockCursor(cursor);
  expect(holderOf(cursor).pid).toBe(process.pid);
});

it.each([
  ['that is free', newCursor],
  ['that was left behind', () => abandoned({ pid: endedPid() })],
])('has one winner among many that take one %s', async (_, made) => {
  const cursor = await made();
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockCursor(cursor)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject(running);
});

it('is not taken from a process that took it over a moment before', async () => {
  const cursor = await abandoned({ pid: endedPid() });
  const other = newCursor();
  await lockCursor(other);
  const winner = { ...holderOf(other), token: 'of the winner' };
  // Between reading the former lock and removing it.
  const kill = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    writeFileSync(`${cursor}.lock`, JSON.stringify(winner));
    throw new Error('ESRCH');
  });
  onTestFinished(() => kill.mockRestore());
  await expect(lockCursor(cursor)).rejects.toMatchObject(running);
  expect(holderOf(cursor)).toEqual(winner);
});

it('is not released by a former holder', async () => {
  const cursor = newCursor();
  const release = await lockCursor(cursor);
  writeFileSync(`${cursor}.lock`, JSON.stringify({ ...holderOf(cursor), token: 'of another' }));
  await release();
  expect(holderOf(cursor).token).toBe('of another');
});

it('reports that it cannot be written', async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'state'), '');
  await expect(lockCursor(join(folder, 'state', 'a.cursor'))).rejects.toMatchObject({ code: 'UNWRITABLE_STATE' });
});
