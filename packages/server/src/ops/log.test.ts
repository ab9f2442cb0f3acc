import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createOutput } from './log.ts';

/** Opens both ends of a pipe. */
function openPipe(): { readonly reader: number; readonly writer: number } {
  const folder = mkdtempSync(join(tmpdir(), 'plat-log-'));
  const path = join(folder, 'pipe');
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  onTestFinished(() => {
    for (const fd of [reader, writer]) closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  return { reader, writer };
}

test('a text that is printed while the pipe is full cuts no log line', async () => {
  const { reader, writer } = openPipe();
  const { log, print } = createOutput({ log: { level: 'info', format: 'json' } }, { to: { fd: writer } });
  for (let n = 0; n < 30; n++) log.info({ n, text: 'x'.repeat(8_000) }, 'before');
  print('The platform API is running\n');
  log.info('after');

  const buffer = Buffer.alloc(64 * 1024);
  let text = '';
  const read = (): string => {
    try {
      text += buffer.toString('utf8', 0, readSync(reader, buffer));
    } catch {
      // Empty for the moment.
    }
    return text;
  };
  await expect.poll(read).toContain('"after"');
  const shown = text
    .trim()
    .split('\n')
    .map((line) => (line.startsWith('{') ? JSON.parse(line).msg : line));
  expect(shown).toEqual([...Array(30).fill('before'), 'The platform API is running', 'after']);
});
