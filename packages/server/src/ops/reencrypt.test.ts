import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { openMigrated } from '../db/migrated-file.ts';
import { execute, select } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { createSealer, markOf, type Sealer } from '../kernel/seal.ts';
import { openText, queueMail } from '../mail/queue-mail.ts';
import { manyMails } from '../mail/world.fixture.ts';
import { reencryptAll } from './reencrypt.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const old = createSealer([OLD]);
const both = createSealer([NEW, OLD]);

let folder: string;
let db: Database;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-reencrypt-'));
  db = await openMigrated(folder);
});
afterEach(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const writeMail = (sealer: Sealer, text: string) =>
  unitOfWork(db, (transaction) => {
    const mail = { to: 'ada@example.com', subject: 'Hello', kind: 'test', tenantId: null, now: Date.now() };
    return queueMail(db, transaction, { ...mail, limits: manyMails, network: null, text, sealer });
  });
const bodies = () => select<{ id: string; body: Buffer | null }>(db, 'SELECT id, body FROM mails ORDER BY id');
const mailsIn = async (options: { sealer?: Sealer; changes?: boolean } = {}) =>
  (await reencryptAll({ db, sealer: both, changes: true, ...options })).find(({ kind }) => kind === 'mail');

test('values of an old key are sealed again with the first one, page by page; others are counted', async () => {
  for (let i = 0; i < 230; i++) await writeMail(i % 10 === 0 ? both : old, `Text ${i}`);
  expect(await mailsIn({ changes: false })).toMatchObject({ current: 23, outdated: 207, unreadable: [] });
  expect(await mailsIn()).toMatchObject({ current: 23, outdated: 207, unreadable: [] });
  expect(await mailsIn()).toMatchObject({ current: 230, outdated: 0, unreadable: [] });
  const onlyNew = createSealer([NEW]);
  const texts = (await bodies()).map(({ id, body }) => openText(onlyNew, id, body ?? Buffer.alloc(0)));
  expect(texts).toEqual(Array.from({ length: 230 }, (_, i) => `Text ${i}`));
});

test.each([
  ['replaced by one of the first key', (id: string) => both.seal('Newer', `text of mail ${id}`), { current: 1 }],
  ['replaced by one of an old key', (id: string) => old.seal('Newer', `text of mail ${id}`), { outdated: 1 }],
  ['emptied', () => null, { current: 0, outdated: 0 }],
])('a value that is %s between the read and the swap is not overwritten', async (_, write, counts) => {
  const id = await writeMail(old, 'Older');
  const { promise: read, resolve: wasRead } = Promise.withResolvers<void>();
  const { promise: held, resolve: holds } = Promise.withResolvers<void>();
  // It holds the write lock until the value was read.
  const writer = unitOfWork(db, async (transaction) => {
    holds();
    await read;
    await execute(db, 'UPDATE mails SET body = :body WHERE id = :id', { id, body: write(id) }, transaction);
  });
  await held;
  const sealer: Sealer = {
    ...both,
    seal(text, purpose) {
      wasRead();
      return both.seal(text, purpose);
    },
  };
  expect(await mailsIn({ sealer })).toMatchObject({ current: 0, outdated: 0, unreadable: [], ...counts });
  await writer;
  const [row] = await bodies();
  if (row?.body) {
    expect(openText(both, id, row.body)).toBe('Newer');
    expect(markOf(row.body)).toBe(both.marks[0]);
  } else expect(write(id)).toBeNull();
});

test('a value with an unknown key and a damaged value are reported with advice, and not changed', async () => {
  const strange = createSealer([Buffer.alloc(32, 3)]);
  const unknown = await writeMail(strange, 'Unknown');
  const damaged = await writeMail(old, 'Damaged');
  await writeMail(old, 'Fine');
  const text = old.seal('Damaged', 'another purpose');
  await execute(db, 'UPDATE mails SET body = :text WHERE id = :damaged', { text, damaged });
  for (const outdated of [1, 0]) {
    expect(await mailsIn()).toEqual({
      kind: 'mail',
      current: 1 - outdated,
      outdated,
      unreadable: [
        {
          kind: 'mail',
          row: unknown,
          reason: `sealed under the key ${strange.marks[0]}, which PLAT_MASTER_KEY does not have`,
          remedy: expect.stringContaining('request it again'),
        },
        expect.objectContaining({ row: damaged, reason: expect.stringMatching(/^damaged: .* with the key 01/) }),
      ],
    });
  }
  const [, second] = await bodies();
  expect(second?.body && text.equals(second.body)).toBe(true);
});
