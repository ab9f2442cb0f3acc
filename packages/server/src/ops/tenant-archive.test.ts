import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestOf, readRows, writeRows } from './tenant-archive.ts';

test('rows are read as they were written, page by page', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-archive-'));
  const rows = [
    {
      id: 'a',
      text: 'one\u2028two\r\nthree\u2029"four"',
      bytes: Buffer.from([0, 255]),
      none: null,
      number: 2 ** 53 - 1,
    },
    { id: 'b', text: '{"base64":"AA=="}', bytes: Buffer.alloc(0), none: null, number: 0 },
    { id: 'c', text: '', bytes: null, none: null, number: -1 },
  ];
  async function* pages() {
    yield rows.slice(0, 1);
    yield rows.slice(1);
  }
  try {
    const written = await writeRows(folder, 'clients', pages());
    expect(written).toEqual({ file: 'clients.ndjson', table: 'clients', rows: 3, sha256: expect.any(String) });
    expect(await digestOf(folder, written.file)).toBe(written.sha256);
    const read: unknown[] = [];
    for await (const page of readRows(folder, written.file, 2)) read.push(page);
    expect(read).toEqual([rows.slice(0, 2), rows.slice(2)]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
