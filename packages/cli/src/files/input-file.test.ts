import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Io } from '../terminal/io.ts';
import { emptyFolder } from '../testing/plat.ts';
import { readInput } from './input-file.ts';

const TEXT = '{"name":"Müller"}\r\n';
const BOM = '\ufeff';

const ENCODINGS: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(BOM + TEXT)],
  ['UTF-16 as Windows PowerShell writes it', Buffer.from(BOM + TEXT, 'utf16le')],
];

it.each(ENCODINGS)('reads a file in %s', async (_, bytes) => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'client.json'), bytes);
  expect(await readInput(ioIn(cwd), '--data', 'client.json')).toBe(TEXT);
});

it.each(ENCODINGS)('reads stdin in %s', async (_, bytes) => {
  const io = ioIn(emptyFolder());
  io.stdin.end(bytes);
  expect(await readInput(io, '--data', '-')).toBe(TEXT);
});

function ioIn(cwd: string): Io & { readonly stdin: PassThrough } {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env: {}, cwd };
}
